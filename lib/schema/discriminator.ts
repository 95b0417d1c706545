import type { SchemaId } from "../compiled/compiled.ts";
import { isSchemaObject, referencedId } from "./reference.ts";
import type { SchemaObject, Schemas } from "./reference.ts";

/** What a discriminator wants of a value: this property with this key. */
export interface MappingKey {
  readonly property: string;
  readonly key: string;
}

/**
 * Answers what the discriminator of a schema (OpenAPI, Discriminator Object) wants of a value that fits a named schema: the key that
 * `mapping` has for it, else the first that there is, else the schema's id. Undefined where there is no discriminator.
 */
export function mappingKey(
  schemas: Schemas,
  schema: SchemaObject,
  id: SchemaId,
): MappingKey | undefined {
  const discriminator = schema["discriminator"];
  if (!isSchemaObject(discriminator)) return undefined;
  const { propertyName: property, mapping } = discriminator;
  if (typeof property !== "string") return undefined;
  const entries = Object.entries(isSchemaObject(mapping) ? mapping : {});
  const mapped = entries.find(([, target]) => referencedId(schemas, target) === id) ?? entries[0];
  return { property, key: mapped?.[0] ?? id };
}
