import { isObject } from "./json.ts";

/** What the value of a JSON Schema keyword has to be, and how it is carried over. */
export type KeywordKind = "schema" | "schemas" | "schemaMap" | keyof typeof plainKinds;

const types = new Set(["string", "number", "integer", "boolean", "array", "object", "null"]);

const isNumber = (value: unknown): boolean => typeof value === "number";
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
const isText = (value: unknown): boolean => typeof value === "string";
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** Kinds that are carried over as they are, each with its test and how a message names it. */
export const plainKinds = {
  any: { test: () => true, name: "anything" },
  list: { test: (value: unknown) => Array.isArray(value), name: "a list" },
  number: { test: isNumber, name: "a number" },
  positive: {
    test: (value: unknown) => isNumber(value) && (value as number) > 0,
    name: "a number above 0",
  },
  count: { test: isCount, name: "a whole number, 0 or more" },
  flag: { test: (value: unknown) => typeof value === "boolean", name: "true or false" },
  text: { test: isText, name: "text" },
  texts: { test: isTexts, name: "a list of texts" },
  textMap: {
    test: (value: unknown) => isObject(value) && Object.values(value).every(isTexts),
    name: "a map of lists of texts",
  },
  object: { test: isObject, name: "an object" },
  type: {
    test: (value: unknown) => [value].flat().every((item) => types.has(item as string)),
    name: "a JSON type or a list of them",
  },
} as const;

const byKind: readonly (readonly [KeywordKind, string])[] = [
  [
    "schema",
    "additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems unevaluatedProperties",
  ],
  ["schemas", "allOf anyOf oneOf prefixItems"],
  ["schemaMap", "dependentSchemas patternProperties properties"],
  ["any", "const default"],
  ["list", "enum examples"],
  ["number", "exclusiveMaximum exclusiveMinimum maximum minimum"],
  ["positive", "multipleOf"],
  [
    "count",
    "maxContains maxItems maxLength maxProperties minContains minItems minLength minProperties",
  ],
  ["flag", "deprecated readOnly uniqueItems writeOnly"],
  ["text", "contentEncoding contentMediaType format pattern"],
  ["texts", "required"],
  ["textMap", "dependentRequired"],
  ["object", "xml"],
  ["type", "type"],
];

/** The keywords of JSON Schema 2020-12, and of OpenAPI, that change an answer. Others only describe and are left out. */
export const keywordKinds: ReadonlyMap<string, KeywordKind> = new Map(
  byKind.flatMap(([kind, words]) => words.split(" ").map((word) => [word, kind] as const)),
);
