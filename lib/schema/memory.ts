import type { EngineValidate } from "./engine.ts";

/** What is known of schemas and values. Cleared between validations. */
export interface Memory {
  readonly known: Map<EngineValidate, Map<unknown, Judgement>>;
}

interface Judgement {
  readonly valid: boolean;
  readonly errors: EngineValidate["errors"];
  readonly evaluated: object | undefined;
}

/** Errors that one schema hands on: unions that recurse would double them with each level. */
const mostErrors = 101;

/** Answers a function like the compiled one that hands on no more than 101 errors. */
export function bounded(compiled: EngineValidate): EngineValidate {
  const validate: EngineValidate = (value, context) => {
    const valid = compiled(value, context);
    validate.errors = valid ? null : compiled.errors?.slice(0, mostErrors);
    validate.evaluated = compiled.evaluated;
    return valid;
  };
  return validate;
}

/** Answers a function like the compiled one that judges each value once, however many branches lead to it. */
export function remembering(memory: Memory, compiled: EngineValidate): EngineValidate {
  const validate: EngineValidate = (value, context) => {
    const judgements = memory.known.get(compiled) ?? new Map<unknown, Judgement>();
    memory.known.set(compiled, judgements);
    const key = keyOf(value, context);
    const judgement = judgements.get(key) ?? judge(compiled, value, context);
    judgements.set(key, judgement);
    validate.errors = judgement.errors;
    validate.evaluated = judgement.evaluated;
    return judgement.valid;
  };
  return validate;
}

/** A list or an object stands in one place only; a scalar is known by its place. */
function keyOf(value: unknown, context: unknown): unknown {
  if (typeof value === "object" && value !== null) return value;
  const { instancePath = "" } = (context ?? {}) as { instancePath?: string };
  return `${instancePath} ${typeof value} ${String(value)}`;
}

function judge(compiled: EngineValidate, value: unknown, context: unknown): Judgement {
  const valid = compiled(value, context);
  // The compiled function writes over both at its next call.
  const evaluated = compiled.evaluated === undefined ? undefined : { ...compiled.evaluated };
  return { valid, errors: valid ? null : compiled.errors?.slice(0, mostErrors), evaluated };
}
