import type { Schema } from "../compiled/compiled.ts";
import { canonical } from "./canonical.ts";
import type { Facets } from "./facets.ts";
import { placeBelow } from "./making.ts";
import type { Making, Place } from "./making.ts";
import { patternMatches } from "./pattern/matcher.ts";
import { isSchema, isSchemaObject, referenced, schemaList } from "./reference.ts";

/** Answers whether a name fits what `propertyNames` says, as far as its simple keywords tell. */
export function fitsNames(making: Making, { parts }: Facets, name: string): boolean {
  return parts.every((part) => {
    const schema = part["propertyNames"];
    return !isSchema(schema) || fitsText(making, schema, name);
  });
}

/** Answers a name that nobody declared: the number tells which. Undefined where none can be found. */
export function furtherName(
  making: Making,
  place: Place,
  { way, vary }: { way: Facets; vary: number },
): string | undefined {
  const schemas = way.parts.flatMap((part) =>
    isSchema(part["propertyNames"]) ? [part["propertyNames"]] : [],
  );
  const patterns = way.parts.flatMap((part): Schema[] => {
    const names = isSchemaObject(part["patternProperties"])
      ? Object.keys(part["patternProperties"])
      : [];
    // Where only some names are allowed, or described, one of those is wanted.
    const [pattern] = names;
    return pattern === undefined || isSchemaObject(part["additionalProperties"])
      ? []
      : [{ pattern }];
  });
  const below = placeBelow(place, "", { name: "key", optional: false, vary: place.vary + vary });
  const name = making.make(below, [{ type: "string" }, ...schemas, ...patterns]);
  return typeof name === "string" ? name : undefined;
}

function fitsText(making: Making, schema: Schema, text: string, depth = 0): boolean {
  if (typeof schema === "boolean" || depth > 8) return schema !== false;
  const { pattern, minLength, maxLength } = schema;
  const length = Array.from(text).length;
  if (typeof pattern === "string" && !patternMatches(pattern, text, making.patterns)) return false;
  if (typeof minLength === "number" && length < minLength) return false;
  if (typeof maxLength === "number" && length > maxLength) return false;
  const values = Object.hasOwn(schema, "const") ? [schema["const"]] : schema["enum"];
  if (Array.isArray(values) && !values.map(canonical).includes(canonical(text))) return false;
  const parts = schemaList([
    referenced(making.schemas, schema["$ref"]),
    ...schemaList(schema["allOf"]),
  ]);
  return parts.every((part) => fitsText(making, part, text, depth + 1));
}
