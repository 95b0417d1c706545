import { callRef } from "ajv/dist/vocabularies/core/ref.js";
import { _, Ajv2020, Name } from "ajv/dist/2020.js";
import type { ErrorObject, FuncKeywordDefinition, KeywordCxt } from "ajv/dist/2020.js";
import type { Schema } from "../compiled/compiled.ts";
import { spend } from "./budget.ts";
import type { Budget } from "./budget.ts";
import { canonical } from "./canonical.ts";
import { formatNames, formatOf } from "./formats.ts";
import { keywordKinds } from "./keywords.ts";
import { isMultiple } from "./numbers.ts";
import { compilePattern } from "./pattern/matcher.ts";
import { schemaList } from "./reference.ts";
import type { SchemaObject } from "./reference.ts";
import { typeOfValue, typesOfKeyword } from "./types.ts";

/** An error of the engine, as it reports it. */
export type EngineError = Pick<
  ErrorObject,
  "instancePath" | "keyword" | "params" | "schema" | "data" | "parentSchema"
>;

/** A compiled schema: answers whether a value fits, and leaves what is wrong in `errors`. */
export interface EngineValidate {
  (value: unknown, context?: unknown): boolean;
  errors?: EngineError[] | null | undefined;
}

/** What an engine is made of. */
export interface EngineOptions {
  /** Stop at the first thing that is wrong, or collect what there is. */
  readonly mode: "first" | "all";
  readonly budget: Budget;
  /** Answers the schema of a key of `$ref`. May throw: then the validation does. */
  readonly schemaOf: (key: string) => Schema;
}

/** In mode `all`: so much is wrong that more would help nobody. Carries what was found. */
export class Enough extends Error {
  override readonly name = "Enough";
  readonly errors: readonly EngineError[];

  constructor(errors: readonly EngineError[]) {
    super("more is wrong than is reported");
    this.errors = errors;
  }
}

/** Errors after which mode `all` stops: one more than an answer lists, so that it can say that there is more. */
const enough = 101;

/**
 * Answers a function that gives the compiled schema of a key. Each is compiled when a value first reaches it, once, and shared by all
 * that refer to it. Values are never changed.
 */
export function createEngine(options: EngineOptions): (key: string) => EngineValidate {
  const { mode, schemaOf } = options;
  const ajv = createAjv(options);
  const targets = new Map<string, { validate: EngineValidate }>();
  const target = (key: string): { validate: EngineValidate } => {
    const known = targets.get(key);
    if (known !== undefined) return known;
    const added: { validate: EngineValidate } = {
      validate: (value, context) => {
        added.validate = ajv.compile(counted(schemaOf(key), mode)) as EngineValidate;
        return added.validate(value, context);
      },
    };
    targets.set(key, added);
    return added;
  };
  ajv.addKeyword({
    keyword: "$ref",
    before: "const",
    code(cxt: KeywordCxt): void {
      // The function behind the wrapper changes when it is compiled; its errors are read after the call.
      const wrapper = cxt.gen.scopeValue("wrapper", { ref: target(String(cxt.schema)) });
      callRef(cxt, _`${wrapper}.validate`);
    },
  });
  return (key) => {
    const found = target(key);
    return Object.defineProperty((value: unknown) => found.validate(value), "errors", {
      get: () => found.validate.errors,
    });
  };
}

function createAjv({ mode, budget }: EngineOptions): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: mode === "all",
    verbose: true,
    messages: false,
    meta: false,
    validateSchema: false,
    addUsedSchema: false,
    ownProperties: true,
    logger: false,
    code: { regExp: Object.assign(expressionFor(budget), { code: "expression" }) },
  });
  for (const name of formatNames()) {
    const format = formatOf(name);
    if (format?.type === "string")
      ajv.addFormat(name, { type: "string", validate: format.accepts });
    if (format?.type === "number")
      ajv.addFormat(name, { type: "number", validate: format.accepts });
  }
  const step = (value: unknown, weight: number, errors: EngineError[] | null): void => {
    if (mode === "all" && errors !== null && errors.length >= enough) throw new Enough(errors);
    spend(budget, Array.isArray(value) ? weight + value.length : weight);
  };
  for (const { keyword } of keywords(budget)) ajv.removeKeyword(String(keyword));
  ajv.removeKeyword("$ref");
  ajv.addKeyword({
    keyword: "$step",
    before: "const",
    code({ gen, data, schema }: KeywordCxt): void {
      const counter = gen.scopeValue("func", { ref: step });
      gen.code(_`${counter}(${data}, ${Number(schema)}, ${new Name("vErrors")})`);
    },
  });
  for (const definition of keywords(budget)) ajv.addKeyword(definition);
  return ajv;
}

/** Keywords that are judged here: linear in the value, decimal numbers, and a `type` that is looked at after the steps. */
function keywords(budget: Budget): FuncKeywordDefinition[] {
  return [
    {
      keyword: "$type",
      before: "const",
      errors: false,
      compile: (type: unknown) => {
        const types = typesOfKeyword(type);
        return (value: unknown) => types.has(typeOfValue(value));
      },
    },
    {
      keyword: "enum",
      before: "const",
      errors: false,
      compile: (values: readonly unknown[]) => {
        const known = new Set(values.map(canonical));
        return (value: unknown) => known.has(canonical(value));
      },
    },
    {
      keyword: "multipleOf",
      type: "number",
      errors: false,
      compile: (divisor: number) => (value: number) => isMultiple(value, divisor),
    },
    {
      keyword: "uniqueItems",
      type: "array",
      errors: false,
      compile: (unique: boolean) => (items: readonly unknown[]) =>
        !unique || areUnique(items, budget),
    },
  ];
}

function areUnique(items: readonly unknown[], budget: Budget): boolean {
  const seen = new Set<string>();
  return items.every((item) => {
    const text = canonical(item);
    spend(budget, 1 + text.length / 8);
    return seen.size < seen.add(text).size;
  });
}

function expressionFor(budget: Budget): (source: string, flags: string) => Expression {
  return (source) => {
    const pattern = compilePattern(source);
    // Ajv shares expressions by this text.
    return { test: (text) => pattern.test(text, budget), toString: () => source };
  };
}

interface Expression {
  test(text: string): boolean;
  toString(): string;
}

/** Answers the schema with `$step` wherever work can multiply; in mode `all` everywhere, so that errors are counted too. */
function counted(schema: Schema, mode: "first" | "all"): Schema {
  if (typeof schema === "boolean") return schema;
  const members = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    const kind = keywordKinds.get(keyword);
    if (kind === "schema") return [keyword, counted(value as Schema, mode)];
    if (kind === "schemas")
      return [keyword, (value as Schema[]).map((item) => counted(item, mode))];
    if (kind === "schema map")
      return [keyword, mapValues(value as Record<string, Schema>, (item) => counted(item, mode))];
    // Ajv looks at `type` before any keyword; errors about it would not be counted.
    return [mode === "all" && keyword === "type" ? "$type" : keyword, value];
  });
  if (mode === "first" && !Object.keys(schema).some((keyword) => multiplies.has(keyword)))
    return Object.fromEntries(members);
  return Object.fromEntries([["$step", weightOf(schema)], ...members]);
}

/** Keywords through which one value, or each of its parts, is looked at more than once. */
const multiplies: ReadonlySet<string> = new Set([
  "$ref", "allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas", "items", "prefixItems", "contains", "unevaluatedItems",
  "patternProperties", "additionalProperties", "propertyNames", "unevaluatedProperties",
]); // oxfmt-ignore

function weightOf(schema: SchemaObject): number {
  const branches = ["allOf", "anyOf", "oneOf"].reduce(
    (sum, keyword) => sum + schemaList(schema[keyword]).length,
    0,
  );
  return 1 + branches + Math.floor(Object.keys(schema["properties"] ?? {}).length / 8);
}

function mapValues<A, B>(
  map: Readonly<Record<string, A>>,
  change: (value: A) => B,
): Record<string, B> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));
}
