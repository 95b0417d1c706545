/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [member: string]: Json;
}

/** Answers whether the value is a JSON object: no list, no null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Answers whether the value is a JSON list. */
export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** Answers a copy as it would cross the wire: plain values alone, without undefined members. Dates become their ISO text. */
export function copyJson(value: unknown): Json {
  if (isList(value)) return value.map((item) => copyJson(item));
  if (value instanceof Date) return value.toISOString();
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => [name, copyJson(member)]),
    );
  }
  return value === undefined ? null : (value as Json);
}

/** Answers whether two JSON values are the same; the order of members does not matter, that of items does. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isList(a))
    return isList(b) && a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameJson(a[name], b[name]))
  );
}

/** Answers a number of bytes that the value's JSON text in UTF-8 does not exceed; it may be much less. */
export function mostBytes(value: Json): number {
  // A UTF-16 unit is at most six bytes: as an escape.
  if (typeof value === "string") return value.length * 6 + 3;
  if (isList(value)) return value.reduce<number>((sum, item) => sum + mostBytes(item), 2);
  if (!isObject(value)) return 25;
  return Object.entries(value).reduce(
    (sum, [name, member]) => sum + name.length * 6 + 4 + mostBytes(member),
    2,
  );
}

/** Freezes the value and all below it, and answers it. What is frozen already is not visited again. */
export function freezeJson<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) freezeJson(member);
  return value;
}

/** Answers a scalar as it is written in a cell or a selector; other values as JSON. */
export function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Answers the object without the members named. */
export function omit(value: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

/** Answers the member of an object, or undefined where there is none of its own; safe for names such as `constructor`. */
export function memberOf(value: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
