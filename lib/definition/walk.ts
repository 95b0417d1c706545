import { isObject } from "./json.ts";
import type { JsonObject } from "./json.ts";
import { childPointer } from "./pointer.ts";

/** Keywords whose object maps names, chosen by the author, to objects: such names are no keywords, whatever they look like. */
const nameMaps = new Set([
  "$defs", "callbacks", "content", "definitions", "dependentSchemas", "encoding", "headers", "links", "mediaTypes", "parameters",
  "pathItems", "paths", "patternProperties", "properties", "requestBodies", "responses", "schemas", "securityDefinitions",
  "securitySchemes", "variables", "webhooks",
]); // oxfmt-ignore

/** Keywords whose value is data: a `$ref` in it is the author's own. */
const dataKeywords = new Set([
  "const",
  "default",
  "enum",
  "example",
  "mapping",
  "scopes",
  "x-example",
  "security",
  "required",
]);

/**
 * Visits every object of a document that OpenAPI gives a meaning to, parents first, in document order. Examples, defaults, enums and extensions
 * are data and are not entered. The document is at most `depthLimit` deep.
 */
export function walk(root: JsonObject, visit: (object: JsonObject, pointer: string) => void): void {
  enter(root, "", visit);
}

type Visit = (object: JsonObject, pointer: string) => void;

function enter(value: unknown, pointer: string, visit: Visit): void {
  if (Array.isArray(value)) {
    value.forEach((item, index) => enter(item, childPointer(pointer, index), visit));
    return;
  }
  if (!isObject(value)) return;
  visit(value, pointer);
  for (const [key, child] of Object.entries(value)) {
    if (dataKeywords.has(key) || key.startsWith("x-")) continue;
    const below = childPointer(pointer, key);
    if (key === "examples") enterExamples(child, below, visit);
    else if (nameMaps.has(key) && isObject(child)) enterNames(child, below, visit);
    else enter(child, below, visit);
  }
}

function enterNames(map: JsonObject, pointer: string, visit: Visit): void {
  for (const [name, child] of Object.entries(map)) enter(child, childPointer(pointer, name), visit);
}

/** Example objects may be references, their values are data. A list of examples (JSON Schema) and 2.0's by media type are data. */
function enterExamples(value: unknown, pointer: string, visit: Visit): void {
  if (!isObject(value)) return;
  for (const [name, example] of Object.entries(value)) {
    if (isObject(example) && typeof example["$ref"] === "string")
      visit(example, childPointer(pointer, name));
  }
}
