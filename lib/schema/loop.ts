import type { Schema, SchemaId } from "../compiled/compiled.ts";
import { isSchemaObject, referencedId, schemaList } from "./reference.ts";
import type { Schemas } from "./reference.ts";

/** Answers that a schema refers to itself for the same value, without a branch that ends (`A: $ref A`): nothing can fit it. */
export function loopOf(schemas: Schemas, id: SchemaId): string | undefined {
  const seen = new Set<SchemaId>();
  const waiting = inPlace(schemas, schemas[id] ?? true);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === id) return "refers to itself without an end";
    if (seen.has(next)) continue;
    seen.add(next);
    waiting.push(...inPlace(schemas, schemas[next] ?? true));
  }
  return undefined;
}

/** The ids that must be looked at for the same value. */
function inPlace(schemas: Schemas, schema: Schema): SchemaId[] {
  if (!isSchemaObject(schema)) return [];
  const own = referencedId(schemas, schema["$ref"]);
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => schemaList(schema[keyword]));
  return [...(own === undefined ? [] : [own]), ...parts.flatMap((part) => inPlace(schemas, part))];
}
