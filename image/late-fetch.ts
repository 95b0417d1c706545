// Node compiles its fetch classes, all of undici, when the first of them is touched: more work than starting its HTTP server. The server
// adapter names them as it loads, and hardly needs them afterwards, because it brings lighter ones. So in a function's bundle these stand
// for the names `Headers`, `Request` and `Response`, and the real ones are loaded when somebody needs what only those can do.
type Class = new (...given: never[]) => object;
type Name = "Headers" | "Request" | "Response";

/** What the adapter takes for the global object: it puts its own classes there. */
export const adapted: Partial<Record<Name, Class>> = {};

export const Headers = standIn("Headers");
export const Request = standIn("Request");
export const Response = standIn("Response");
Object.assign(adapted, { Headers, Request, Response });

function standIn(name: Name): Class {
  let loaded: Class | undefined;
  const load = (): Class => {
    if (loaded !== undefined) return loaded;
    loaded = (globalThis as unknown as Record<Name, Class>)[name];
    // What was derived from the stand-in is derived from the real class from now on.
    Object.setPrototypeOf(StandIn, loaded);
    Object.setPrototypeOf(StandIn.prototype, loaded.prototype as object);
    return loaded;
  };
  const StandIn = function (...given: never[]): object {
    if (new.target === undefined) throw new TypeError(`${name} is a class: it needs new`);
    const lighter = adapted[name] ?? StandIn;
    return (new.target as unknown) === StandIn && lighter !== StandIn
      ? new lighter(...given)
      : (Reflect.construct(load(), given, new.target) as object);
  } as unknown as Class;
  const derives = Function.prototype[Symbol.hasInstance];
  // Only what says that it is an instance of the real class is worth loading that.
  const isReal = (value: unknown): boolean =>
    (value as object | null | undefined)?.constructor?.name === name && value instanceof load();
  Object.defineProperty(StandIn, Symbol.hasInstance, {
    value(this: Class, value: unknown) {
      return derives.call(this, value) || (this === StandIn && isReal(value));
    },
  });
  return StandIn;
}
