import type { Schema } from "../compiled/compiled.ts";
import { canonical } from "./canonical.ts";
import { isSchemaObject } from "./reference.ts";

/** A place where a value does not fit its schema. */
export interface SchemaViolation {
  /** JSON Pointer (RFC 6901) into the value, `""` for the value itself. */
  readonly pointer: string;
  /** Plain words, without the place: what was expected and what was found. */
  readonly message: string;
  /** The keyword of JSON Schema that says so; `too-complex` and `schema` are ours. */
  readonly keyword: string;
}

/** What a validator knows of an error. */
export interface ErrorDetail {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly schema?: unknown;
  readonly parentSchema?: Schema | Readonly<Record<string, unknown>> | undefined;
  readonly data?: unknown;
}

/** Violations that are reported at once: one more than an answer lists, so that it can say that there is more. */
const most = 101;

/** Answers errors as violations, in their order, each once, at most 101; not what only follows from another one. */
export function violationsOf(errors: readonly ErrorDetail[]): readonly SchemaViolation[] {
  const telling = errors.filter((error) => !follows(error, errors.slice(0, mostCompared)));
  const violations = new Map<string, SchemaViolation>();
  for (const error of telling.length > 0 ? telling : errors) {
    if (violations.size >= most) break;
    const violation = violationOf(error);
    violations.set(`${violation.pointer} ${violation.message}`, violation);
  }
  return [...violations.values()];
}

/** Errors that others are compared with. */
const mostCompared = 200;

/** Whether an error says nothing new: null as one choice among others, or members that count as unknown because they are wrong. */
function follows(error: ErrorDetail, errors: readonly ErrorDetail[]): boolean {
  const { instancePath: place, keyword, schema } = error;
  if ((keyword === "type" || keyword === "$type") && schema === "null") {
    return errors.some(
      (other) =>
        other.instancePath === place && (other.keyword === "anyOf" || other.keyword === "oneOf"),
    );
  }
  if (keyword === "if") return errors.some((other) => other.keyword !== "if");
  if (!keyword.startsWith("unevaluated")) return false;
  return errors.some(
    (other) =>
      other.instancePath.startsWith(`${place}/`) ||
      (other.instancePath === place && !other.keyword.startsWith("unevaluated")),
  );
}

function violationOf(error: ErrorDetail): SchemaViolation {
  const keyword = error.keyword === "$type" ? "type" : error.keyword;
  const message = messages[keyword]?.(error) ?? `breaks ${keyword}`;
  return {
    pointer: error.instancePath,
    message,
    keyword: keyword === "false schema" ? "false" : keyword,
  };
}

type Message = (error: ErrorDetail) => string;

const messages: Readonly<Record<string, Message>> = {
  type: ({ schema, data }) => `must be ${types(schema)}, found ${shown(data)}`,
  enum: ({ schema, data }) => `must be ${choices(schema)}, found ${shown(data)}`,
  const: ({ schema, data }) => `must be ${shown(schema)}, found ${shown(data)}`,
  minimum: ({ schema, data }) => `must be at least ${shown(schema)}, found ${shown(data)}`,
  maximum: ({ schema, data }) => `must be at most ${shown(schema)}, found ${shown(data)}`,
  exclusiveMinimum: ({ schema, data }) => `must be more than ${shown(schema)}, found ${shown(data)}`,
  exclusiveMaximum: ({ schema, data }) => `must be less than ${shown(schema)}, found ${shown(data)}`,
  multipleOf: ({ schema, data }) => `must be a multiple of ${shown(schema)}, found ${shown(data)}`,
  minLength: ({ schema, data }) => `must have at least ${counted(schema, "character")}, found ${shown(data)}`,
  maxLength: ({ schema, data }) => `must have at most ${counted(schema, "character")}, found ${shown(data)}`,
  pattern: ({ schema, data }) => `must match the pattern ${String(schema)}, found ${shown(data)}`,
  format: ({ schema, data }) => `must have the format ${String(schema)}, found ${shown(data)}`,
  required: ({ params }) => `must have the property ${shown(params["missingProperty"])}`,
  dependentRequired: ({ params }) =>
    `must have the property ${shown(params["missingProperty"])}, because it has ${shown(params["property"])}`,
  additionalProperties: ({ params }) => `must not have the property ${shown(params["additionalProperty"])}`,
  unevaluatedProperties: ({ params }) => `must not have the property ${shown(params["unevaluatedProperty"])}`,
  propertyNames: ({ params }) => `must not have a property named ${shown(params["propertyName"])}`,
  minProperties: ({ schema, data }) => `must have at least ${counted(schema, "property")}, found ${members(data)}`,
  maxProperties: ({ schema, data }) => `must have at most ${counted(schema, "property")}, found ${members(data)}`,
  minItems: ({ schema, data }) => `must have at least ${counted(schema, "item")}, found ${members(data)}`,
  maxItems: ({ schema, data }) => `must have at most ${counted(schema, "item")}, found ${members(data)}`,
  items: ({ params, data }) => `must have at most ${counted(params["limit"], "item")}, found ${members(data)}`,
  unevaluatedItems: ({ params, data }) => `must have at most ${counted(params["len"], "item")}, found ${members(data)}`,
  uniqueItems: ({ data }) => `must not have an item twice, found ${twice(data)}`,
  contains: ({ params }) => `must have ${containing(params)} that fit contains`,
  anyOf: ({ schema, data }) => `must fit at least one of ${counted(length(schema), "schema")} of anyOf, found ${shown(data)}`,
  oneOf: ({ schema, params, data }) => oneOf({ schema, passing: params["passingSchemas"], data }),
  not: ({ data }) => `must not fit the schema of not, found ${shown(data)}`,
  if: ({ params }) => `must fit the schema of ${String(params["failingKeyword"])}`,
  "false schema": ({ data }) => `must not be there, found ${shown(data)}`,
}; // oxfmt-ignore

const articles: Readonly<Record<string, string>> = {
  null: "null",
  boolean: "true or false",
  integer: "an integer",
  number: "a number",
  string: "a string",
  array: "an array",
  object: "an object",
};

function types(schema: unknown): string {
  const names = (Array.isArray(schema) ? schema : [schema]).map(
    (name) => articles[String(name)] ?? String(name),
  );
  return names.join(" or ");
}

function choices(schema: unknown): string {
  const values = Array.isArray(schema) ? schema : [];
  if (values.length === 1) return shown(values[0]);
  const some = values.slice(0, 10).map(shown).join(", ");
  return values.length > 10 ? `one of ${some} and ${values.length - 10} more` : `one of ${some}`;
}

function oneOf({
  schema,
  passing,
  data,
}: {
  schema: unknown;
  passing: unknown;
  data: unknown;
}): string {
  const wanted = `must fit exactly one of ${counted(length(schema), "schema")} of oneOf`;
  if (!Array.isArray(passing)) return `${wanted}, found ${shown(data)}`;
  return `${wanted}, fits those at ${passing.join(" and ")}`;
}

function containing(params: Readonly<Record<string, unknown>>): string {
  const low = counted(params["minContains"] ?? 1, "item");
  return params["maxContains"] === undefined
    ? `at least ${low}`
    : `${low} to ${counted(params["maxContains"], "item")}`;
}

function counted(count: unknown, noun: string): string {
  const plural = noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${String(count)} ${count === 1 ? noun : plural}`;
}

function length(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

function members(value: unknown): number {
  return Array.isArray(value)
    ? value.length
    : Object.keys(isSchemaObject(value) ? value : {}).length;
}

function twice(items: unknown): string {
  const seen = new Set<string>();
  for (const item of Array.isArray(items) ? items : []) {
    const text = canonical(item);
    if (seen.has(text)) return shown(item);
    seen.add(text);
  }
  return "equal ones";
}

/** A value as it is written in a message: short, on one line. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${counted(value.length, "item")}`;
  if (typeof value === "object" && value !== null) return "an object";
  return shortened(JSON.stringify(value) ?? "nothing");
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
