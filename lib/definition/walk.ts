import { isObject } from "./json.ts";
import type { JsonObject } from "./json.ts";
import { childPointer } from "./pointer.ts";

/** Keywords whose object maps names, chosen by the author, to objects: such names are no keywords, whatever they look like. */
const nameMaps = new Set([
  "$defs", "callbacks", "content", "definitions", "dependentSchemas", "encoding", "headers", "links", "mediaTypes", "parameters",
  "pathItems", "paths", "patternProperties", "properties", "requestBodies", "responses", "schemas", "securityDefinitions",
  "securitySchemes", "variables", "webhooks",
]); // oxfmt-ignore

/** Keywords whose value is the author's own data: a `$ref` in it is no reference. */
const dataKeywords = new Set(["const", "default", "enum", "example"]);

/** Keywords that hold only text and lists of text. */
const textKeywords = new Set(["mapping", "required", "scopes", "security"]);

/** What a member is: data of the author, text, examples by name, objects by name, or an object of OpenAPI. */
export type Kind = "data" | "text" | "examples" | "names" | "object";

/** Answers what OpenAPI makes of a member of an object. */
export function kindOf(key: string, value: unknown): Kind {
  if (dataKeywords.has(key) || key.startsWith("x-")) return "data";
  if (textKeywords.has(key)) return "text";
  if (key === "examples") return isObject(value) ? "examples" : "data";
  return nameMaps.has(key) && isObject(value) ? "names" : "object";
}

type Visit = (object: JsonObject, pointer: string) => void;

/**
 * Visits every object of a document that OpenAPI gives a meaning to, parents first. Examples, defaults, enums and extensions are data and are
 * not entered. The document is at most `depthLimit` deep.
 */
export function walk(root: JsonObject, visit: Visit): void {
  enter(root, "", visit);
}

function enter(value: unknown, pointer: string, visit: Visit): void {
  if (Array.isArray(value)) {
    value.forEach((item, index) => enter(item, childPointer(pointer, index), visit));
    return;
  }
  if (!isObject(value)) return;
  visit(value, pointer);
  for (const [key, child] of Object.entries(value)) {
    const below = childPointer(pointer, key);
    const kind = kindOf(key, child);
    if (kind === "object") enter(child, below, visit);
    else if (kind === "names") enterNames(child as JsonObject, below, visit);
    else if (kind === "examples") enterExamples(child as JsonObject, below, visit);
  }
}

function enterNames(map: JsonObject, pointer: string, visit: Visit): void {
  for (const [name, child] of Object.entries(map)) enter(child, childPointer(pointer, name), visit);
}

/** An Example Object may be a reference; everything else in it is data. */
function enterExamples(map: JsonObject, pointer: string, visit: Visit): void {
  for (const [name, example] of Object.entries(map)) {
    if (isReference(example)) visit(example, childPointer(pointer, name));
  }
}

/** Answers whether the value is a Reference Object, or a schema that refers. */
export function isReference(value: unknown): value is JsonObject {
  return isObject(value) && typeof value["$ref"] === "string";
}
