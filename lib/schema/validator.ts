import type { SchemaId } from "../compiled/compiled.ts";
import { isTooDeep, maxDepth, TooComplex } from "./budget.ts";
import { createEngine, Enough } from "./engine.ts";
import type { EngineError, EngineValidate } from "./engine.ts";
import { loopOf } from "./loop.ts";
import type { Memory } from "./memory.ts";
import { isSchemaObject } from "./reference.ts";
import type { Schemas } from "./reference.ts";
import { SchemaFault, variantKey, variantOfKey, viewOf } from "./view.ts";
import type { View } from "./view.ts";
import { violationsOf } from "./violation.ts";
import type { SchemaViolation } from "./violation.ts";

export type { SchemaViolation } from "./violation.ts";

/** Answers what is wrong with a value, at most 101 places; nothing where it fits. Never throws, never changes the value. */
export type Validate = (value: unknown) => readonly SchemaViolation[];

/** The schemas of a definition as both sides of an exchange must keep them. */
export interface Validators {
  /** What a client sends: `readOnly` names are not demanded. Undefined ids answer a violation. */
  request(id: SchemaId): Validate;
  /** What a server answers: `writeOnly` names are not demanded. */
  response(id: SchemaId): Validate;
  /** Answers why a schema (not those that it refers to) cannot be compiled. Such a schema fits no value: its violation has the keyword `schema`. */
  check(id: SchemaId): string | undefined;
  /** Answers the steps that all validations took so far. */
  spent(this: void): number;
}

/** Steps of one validation, about a tenth of a second. Bodies of 10 MB against schemas whose unions do not multiply need a tenth of them to almost all. */
const plainSteps = 1_500_000;

/** Steps of a second try that remembers what was found out: where schemas recurse through unions it needs far fewer. */
const carefulSteps = 1_500_000;

/** Steps for finding more than the first violation. */
const furtherSteps = 500_000;

/**
 * Answers validators over schemas of JSON Schema 2020-12 that refer to each other as `#/$defs/ID`. Nothing is compiled before a value
 * asks for it. Work is bounded: a value of more than 128 levels or one that needs too many steps is a violation `too-complex`.
 */
export function createValidators(schemas: Schemas): Validators {
  const budget = { left: 0 };
  let spent = 0;
  const schemaOf = (key: string) => viewOf(schemas, variantOfKey(key));
  const memory: Memory = { known: new Map() };
  const plain = lazy(() => createEngine({ mode: "first", budget, schemaOf }));
  const careful = lazy(() => createEngine({ mode: "first", budget, schemaOf, memory }));
  const all = lazy(() => createEngine({ mode: "all", budget, schemaOf, memory }));
  const run = (engine: Engine, key: string, { value, steps }: Task): readonly EngineError[] => {
    budget.left = steps;
    memory.known.clear();
    const validate = engine(key);
    try {
      return validate(value) ? [] : (validate.errors ?? []);
    } finally {
      spent += steps - budget.left;
      memory.known.clear();
    }
  };

  const judge = (key: string, value: unknown): readonly SchemaViolation[] => {
    if (isTooDeep(value)) return [tooComplex(`has more than ${maxDepth} levels`)];
    // Whether a value fits is found by stopping at the first error: unions that recurse stay cheap. Only then are all looked for.
    const errors =
      unlessTooComplex(() => run(plain(), key, { value, steps: plainSteps })) ??
      run(careful(), key, { value, steps: carefulSteps });
    if (errors.length === 0) return [];
    return violationsOf(
      unlessTooComplex(() => run(all(), key, { value, steps: furtherSteps })) ?? errors,
    );
  };
  const validator =
    (view: View) =>
    (id: SchemaId): Validate => {
      const key = variantKey({ id, view, everywhere: [], outside: [] });
      return (value) => guarded(() => judge(key, value));
    };
  return {
    request: validator("request"),
    response: validator("response"),
    check: (id) => fault(schemas, id),
    spent: () => spent,
  };
}

function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

type Engine = (key: string) => EngineValidate;

interface Task {
  readonly value: unknown;
  readonly steps: number;
}

/** What was found, or undefined where finding it is too much work. */
function unlessTooComplex(find: () => readonly EngineError[]): readonly EngineError[] | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof Enough) return error.errors;
    if (error instanceof TooComplex || error instanceof RangeError) return undefined;
    throw error;
  }
}

function guarded(judge: () => readonly SchemaViolation[]): readonly SchemaViolation[] {
  try {
    return judge();
  } catch (error) {
    if (error instanceof TooComplex) return [tooComplex(error.message)];
    // The stack, of JavaScript or of a regular expression, ends before the steps do.
    if (error instanceof RangeError) return [tooComplex("is too deep to check")];
    const reason = error instanceof Error ? error.message : String(error);
    return [{ pointer: "", keyword: "schema", message: `cannot be checked: ${reason}` }];
  }
}

function tooComplex(message: string): SchemaViolation {
  return { pointer: "", keyword: "too-complex", message };
}

function fault(schemas: Schemas, id: SchemaId): string | undefined {
  try {
    viewOf(schemas, { id, view: "request", everywhere: [], outside: [] });
  } catch (error) {
    if (error instanceof SchemaFault) return error.message;
    if (error instanceof RangeError) return "is nested too deeply";
    throw error;
  }
  return isSchemaObject(schemas[id]) ? loopOf(schemas, id) : undefined;
}
