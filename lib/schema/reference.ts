import type { Schema, SchemaId } from "../compiled/compiled.ts";

/** Every schema of a compiled definition, by id. */
export type Schemas = Readonly<Record<SchemaId, Schema>>;

/** A schema that is not just `true` or `false`. */
export type SchemaObject = Exclude<Schema, boolean>;

const prefix = "#/$defs/";

/** Answers the id that a reference `#/$defs/ID` names (as written, else decoded as RFC 6901 says), or undefined where nothing is there. */
export function referencedId(schemas: Schemas, reference: unknown): SchemaId | undefined {
  if (typeof reference !== "string" || !reference.startsWith(prefix)) return undefined;
  const written = reference.slice(prefix.length);
  if (Object.hasOwn(schemas, written)) return written;
  const decoded = decode(written);
  return decoded !== undefined && Object.hasOwn(schemas, decoded) ? decoded : undefined;
}

/** Answers the schema that a reference names, or undefined where nothing is there. */
export function referenced(schemas: Schemas, reference: unknown): Schema | undefined {
  const id = referencedId(schemas, reference);
  return id === undefined ? undefined : schemas[id];
}

/** Answers whether the value is a schema with keywords: an object, no list. */
export function isSchemaObject(value: unknown): value is SchemaObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Answers whether the value may stand where a schema is asked for. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === "boolean" || isSchemaObject(value);
}

/** Answers the members of a keyword that holds a list of schemas; what is no schema is left out. */
export function schemaList(value: unknown): readonly Schema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

/** Answers the entry of a keyword that holds schemas by name (`properties`), never one that every object inherits. */
export function schemaAt(map: unknown, name: string): Schema | undefined {
  if (!isSchemaObject(map) || !Object.hasOwn(map, name)) return undefined;
  const found = map[name];
  return isSchema(found) ? found : undefined;
}

/** Answers the strings of a keyword that holds a list of names (`required`). */
export function nameList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return undefined;
  }
}
