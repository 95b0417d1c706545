import { isSchema, isSchemaObject } from "./reference.ts";
import { typeNames } from "./types.ts";

/** What a keyword of JSON Schema 2020-12 holds. Keywords that are not here assert nothing and are ignored. */
export type KeywordKind =
  | "schema" | "schemas" | "schema map" | "number" | "divisor" | "count" | "boolean" | "text" | "pattern" | "names" | "names map" | "types" | "list" | "value"; // oxfmt-ignore

/** Keywords that assert, with what each holds. */
export const keywordKinds: ReadonlyMap<string, KeywordKind> = new Map<string, KeywordKind>([
  ["$ref", "text"],
  ["$dynamicRef", "text"],
  ["type", "types"],
  ["enum", "list"],
  ["const", "value"],
  ["allOf", "schemas"],
  ["anyOf", "schemas"],
  ["oneOf", "schemas"],
  ["not", "schema"],
  ["if", "schema"],
  ["then", "schema"],
  ["else", "schema"],
  ["dependentSchemas", "schema map"],
  ["prefixItems", "schemas"],
  ["items", "schema"],
  ["contains", "schema"],
  ["unevaluatedItems", "schema"],
  ["properties", "schema map"],
  ["patternProperties", "schema map"],
  ["additionalProperties", "schema"],
  ["propertyNames", "schema"],
  ["unevaluatedProperties", "schema"],
  ["multipleOf", "divisor"],
  ["minimum", "number"],
  ["maximum", "number"],
  ["exclusiveMinimum", "number"],
  ["exclusiveMaximum", "number"],
  ["minLength", "count"],
  ["maxLength", "count"],
  ["pattern", "pattern"],
  ["format", "text"],
  ["minItems", "count"],
  ["maxItems", "count"],
  ["uniqueItems", "boolean"],
  ["minContains", "count"],
  ["maxContains", "count"],
  ["minProperties", "count"],
  ["maxProperties", "count"],
  ["required", "names"],
  ["dependentRequired", "names map"],
]);

const expectations: Readonly<Record<KeywordKind, readonly [what: string, holds: (value: unknown) => boolean]>> = {
  schema: ["a schema", isSchema],
  schemas: ["a list of schemas", (value) => isList(value, isSchema) && value.length > 0],
  "schema map": ["schemas by name", (value) => isMap(value, isSchema)],
  number: ["a number", isFiniteNumber],
  divisor: ["a number above 0", (value) => isFiniteNumber(value) && value > 0],
  count: ["a whole number of at least 0", (value) => Number.isInteger(value) && (value as number) >= 0],
  boolean: ["true or false", (value) => typeof value === "boolean"],
  text: ["a string", isText],
  pattern: ["a regular expression", isText],
  names: ["a list of names", isNames],
  "names map": ["lists of names by name", (value) => isMap(value, isNames)],
  types: ["a type of JSON Schema", (value) => isType(value) || isList(value, isType)],
  list: ["a list of values", Array.isArray],
  value: ["a value", () => true],
}; // oxfmt-ignore

/** Answers what is wrong with the value of a keyword, undefined where nothing is (a pattern is not compiled here). */
export function keywordFault(keyword: string, value: unknown): string | undefined {
  const kind = keywordKinds.get(keyword);
  if (kind === undefined) return undefined;
  const [what, holds] = expectations[kind];
  return holds(value) ? undefined : `${keyword} must be ${what}`;
}

function isList<Item>(value: unknown, holds: (item: unknown) => item is Item): value is Item[] {
  return Array.isArray(value) && value.every(holds);
}

function isMap(value: unknown, holds: (member: unknown) => boolean): boolean {
  return isSchemaObject(value) && Object.values(value).every(holds);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isNames(value: unknown): value is string[] {
  return isList(value, isText);
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function isType(value: unknown): value is string {
  return (typeNames as readonly unknown[]).includes(value);
}
