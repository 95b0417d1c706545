import { callRef } from "ajv/dist/vocabularies/core/ref.js";
import { _, Ajv2020, Name } from "ajv/dist/2020.js";
import type { ErrorObject, KeywordCxt } from "ajv/dist/2020.js";
import type { Schema } from "../compiled/compiled.ts";
import { spend } from "./budget.ts";
import type { Budget } from "./budget.ts";
import { counted } from "./counted.ts";
import type { Members, Steps } from "./counted.ts";
import { expressionsOf, keywordsOf } from "./engine-keywords.ts";
import { formatNames, formatOf } from "./formats.ts";
import { membersOf } from "./members.ts";
import { bounded, remembering } from "./memory.ts";
import type { Memory } from "./memory.ts";

/** An error of the engine, as it reports it. */
export type EngineError = Pick<
  ErrorObject,
  "instancePath" | "keyword" | "params" | "schema" | "data" | "parentSchema"
>;

/** A compiled schema: answers whether a value fits, and leaves what is wrong in `errors`. */
export interface EngineValidate {
  (value: unknown, context?: unknown): boolean;
  errors?: EngineError[] | null | undefined;
  /** Which members were looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
  evaluated?: object | undefined;
}

/** What an engine is made of. */
export interface EngineOptions {
  /** Stop at the first thing that is wrong, or collect what there is. */
  readonly mode: "first" | "all";
  readonly budget: Budget;
  /** What was found out about a schema and a value is kept here, where it is wanted: no pair is judged twice. */
  readonly memory?: Memory;
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
  const { mode, memory, schemaOf } = options;
  const ajv = createAjv(options);
  const targets = new Map<string, { validate: EngineValidate }>();
  const target = (key: string): { validate: EngineValidate } => {
    const known = targets.get(key);
    if (known !== undefined) return known;
    const added: { validate: EngineValidate } = {
      validate: (value, context) => {
        const compiled = ajv.compile(counted(schemaOf(key), mode)) as EngineValidate;
        added.validate = memory === undefined ? bounded(compiled) : remembering(memory, compiled);
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
  const compile = (schema: Schema): EngineValidate =>
    bounded(ajv.compile(counted(schema, mode)) as EngineValidate);
  ajv.addKeyword({
    keyword: "$members",
    type: "object",
    before: "unevaluatedProperties",
    code(cxt: KeywordCxt): void {
      const validate = membersOf(cxt.schema as Members, { mode, budget: options.budget, compile });
      callRef(cxt, _`${cxt.gen.scopeValue("wrapper", { ref: { validate } })}.validate`);
    },
  });
  const made = new Map<string, EngineValidate>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const found = target(key);
    const validate = Object.defineProperty((value: unknown) => found.validate(value), "errors", {
      get: () => found.validate.errors,
    });
    made.set(key, validate);
    return validate;
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
    // Compiling is what a cold start waits for; the code that comes out is as fast.
    code: { optimize: false, regExp: Object.assign(expressionsOf(budget), { code: "expression" }) },
  });
  for (const name of formatNames()) {
    const format = formatOf(name);
    if (format?.type === "string")
      ajv.addFormat(name, { type: "string", validate: format.accepts });
    if (format?.type === "number")
      ajv.addFormat(name, { type: "number", validate: format.accepts });
  }
  const step = (value: unknown, steps: Steps, errors: EngineError[] | null): void => {
    if (mode === "all" && errors !== null && errors.length >= enough) throw new Enough(errors);
    spend(budget, steps.weight + countOf(value, steps));
  };
  for (const { keyword } of keywordsOf(budget)) ajv.removeKeyword(String(keyword));
  ajv.removeKeyword("$ref");
  ajv.addKeyword({
    keyword: "$step",
    before: "const",
    code({ gen, data, schema }: KeywordCxt): void {
      const counter = gen.scopeValue("func", { ref: step });
      const steps = gen.scopeValue("obj", { ref: schema as Steps });
      gen.code(_`${counter}(${data}, ${steps}, ${new Name("vErrors")})`);
    },
  });
  for (const definition of keywordsOf(budget)) ajv.addKeyword(definition);
  return ajv;
}

function countOf(value: unknown, { members, item }: Steps): number {
  if (Array.isArray(value)) return value.length * item;
  if (!members || typeof value !== "object" || value === null) return 0;
  return Object.keys(value).length;
}
