import type { SchemaId, Style } from "../compiled/compiled.ts";
import type { Context } from "./context.ts";
import type { JsonObject } from "./json.ts";
import { textMember } from "./json.ts";

/** Members of a 2.0 parameter or header that are no part of its schema. */
const notSchema = new Set([
  "name",
  "in",
  "description",
  "required",
  "collectionFormat",
  "allowEmptyValue",
]);

/** Answers the schema that a 2.0 parameter, item or header is itself, by id. */
export function ownSchema(context: Context, value: JsonObject, pointer: string): SchemaId {
  return context.schemas.at(ownSchemaMembers(value), pointer);
}

/** Answers the members of a 2.0 parameter or header that are its schema. */
function ownSchemaMembers(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !notSchema.has(key)));
}

/** Answers 2.0's `collectionFormat` (csv where there is none) as style and explode of 3.x, as far as the place has a choice. */
export function collectionStyle(
  value: JsonObject,
  place: string,
): { readonly style: Style; readonly explode: boolean } {
  const format = textMember(value, "collectionFormat") ?? "csv";
  if (format === "multi") return { style: "form", explode: true };
  if (format === "ssv") return { style: "spaceDelimited", explode: false };
  if (format === "tsv") return { style: "tabDelimited", explode: false };
  if (format === "pipes") return { style: "pipeDelimited", explode: false };
  return { style: place === "path" || place === "header" ? "simple" : "form", explode: false };
}
