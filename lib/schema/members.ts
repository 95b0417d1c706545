import type { Schema } from "../compiled/compiled.ts";
import { spend } from "./budget.ts";
import type { Budget } from "./budget.ts";
import type { Members } from "./counted.ts";
import type { EngineError, EngineValidate } from "./engine.ts";
import { expressionsOf } from "./engine-keywords.ts";

/** How the schemas of many properties are compiled, and what that may cost. */
export interface MembersOptions {
  readonly mode: "first" | "all";
  readonly budget: Budget;
  readonly compile: (schema: Schema) => EngineValidate;
}

/** Steps for compiling the schema of one property, about a millisecond. */
const compileSteps = 10_000;

/**
 * Answers a function like a compiled one for the many properties of an object. The schema of one is compiled when a value first has that
 * property; those written the same are compiled once.
 */
export function membersOf(
  { properties, patterns, additional }: Members,
  { mode, budget, compile }: MembersOptions,
): EngineValidate {
  const ready = new Map<string, EngineValidate>();
  const known = new Map<string, EngineValidate>();
  const compiled = (name: string, schema: Schema): EngineValidate => {
    const own = known.get(name);
    if (own !== undefined) return own;
    const text = JSON.stringify(schema);
    const same = ready.get(text);
    if (same === undefined) spend(budget, compileSteps);
    const made = same ?? compile(schema);
    ready.set(text, made);
    known.set(name, made);
    return made;
  };
  const expressions = patterns.map((pattern) => expressionsOf(budget)(pattern, "u"));
  const schemaOf = (name: string): Schema | undefined =>
    properties.get(name) ??
    (expressions.some((expression) => expression.test(name)) ? undefined : additional);
  const validate: EngineValidate = (value, context) => {
    const props: Record<string, true> = {};
    validate.evaluated = { props };
    validate.errors = null;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return true;
    const errors: EngineError[] = [];
    for (const [name, member] of Object.entries(value)) {
      spend(budget, 1);
      const schema = schemaOf(name);
      if (schema === undefined) continue;
      props[name] = true;
      if (schema === false && !properties.has(name)) {
        errors.push(notAllowed(context, value, name));
        if (mode === "first") break;
        continue;
      }
      const judge = compiled(name, schema);
      if (judge(member, contextBelow(context, value, name))) continue;
      errors.push(...(judge.errors ?? []));
      if (mode === "first") break;
    }
    validate.errors = errors.length === 0 ? null : errors;
    return errors.length === 0;
  };
  return validate;
}

function notAllowed(context: unknown, data: object, additionalProperty: string): EngineError {
  const { instancePath = "" } = (context ?? {}) as { readonly instancePath?: string };
  const params = { additionalProperty };
  return { instancePath, keyword: "additionalProperties", params, schema: false, data };
}

function contextBelow(context: unknown, parentData: object, name: string): object {
  const { instancePath = "", ...rest } = (context ?? {}) as { readonly instancePath?: string };
  const step = name.replaceAll("~", "~0").replaceAll("/", "~1");
  return { ...rest, instancePath: `${instancePath}/${step}`, parentData, parentDataProperty: name };
}
