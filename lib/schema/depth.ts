import type { Schema, SchemaId } from "../compiled/compiled.ts";
import { isSchema, isSchemaObject, nameList, referencedId, schemaList } from "./reference.ts";
import type { SchemaObject, Schemas } from "./reference.ts";
import { propertySchemas } from "./facets.ts";
import { typesOfKeyword } from "./types.ts";

/** Known depths, by definition: they never change. */
const known = new WeakMap<Schemas, Map<SchemaId, number>>();

/**
 * Answers a function for the number of levels that the smallest value of a schema has: 1 for a value without members, Infinity where
 * no finite value exists (`false`, or what must contain itself). An estimate from below where parts contradict each other.
 */
export function depthsOf(schemas: Schemas, id: SchemaId): (schema: Schema) => number {
  const depths = known.get(schemas) ?? new Map<SchemaId, number>();
  known.set(schemas, depths);
  const open = reachable(schemas, id, depths);
  const found = new Map(open.map((name) => [name, Number.POSITIVE_INFINITY]));
  const depth = (name: SchemaId): number =>
    depths.get(name) ?? found.get(name) ?? Number.POSITIVE_INFINITY;
  // Each round finds the schemas whose smallest value needs one more level of others; a round that finds none is the last.
  for (let changed = true; changed;) {
    changed = false;
    for (const name of open) {
      if (depth(name) !== Number.POSITIVE_INFINITY) continue;
      const reckoned = depthOf({ schemas, depth }, schemas[name] ?? true);
      found.set(name, reckoned);
      changed ||= reckoned !== Number.POSITIVE_INFINITY;
    }
  }
  for (const [name, value] of found) depths.set(name, value);
  return (schema) => depthOf({ schemas, depth }, schema);
}

interface Search {
  readonly schemas: Schemas;
  depth(this: void, id: SchemaId): number;
}

function depthOf(search: Search, schema: Schema): number {
  if (typeof schema === "boolean") return schema ? 1 : Number.POSITIVE_INFINITY;
  if (["const", "example", "default"].some((keyword) => Object.hasOwn(schema, keyword))) return 1;
  if (["enum", "examples"].some((keyword) => Array.isArray(schema[keyword]))) return 1;
  const depths = [ownDepth(search, schema)];
  const id = referencedId(search.schemas, schema["$ref"]);
  if (id !== undefined) depths.push(search.depth(id));
  for (const part of schemaList(schema["allOf"])) depths.push(depthOf(search, part));
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = schemaList(schema[keyword]);
    if (branches.length > 0)
      depths.push(Math.min(...branches.map((branch) => depthOf(search, branch))));
  }
  return Math.max(...depths);
}

function ownDepth(search: Search, schema: SchemaObject): number {
  const types = typesOfKeyword(schema["type"]);
  const said = schema["type"] !== undefined;
  if (
    said &&
    ["null", "boolean", "integer", "number", "string"].some((type) => types.has(type as never))
  )
    return 1;
  const isObject = said ? types.has("object") : nameList(schema["required"]).length > 0;
  const isArray = said
    ? types.has("array")
    : Array.isArray(schema["prefixItems"]) || isSchema(schema["items"]);
  const depths: number[] = [];
  if (isObject) depths.push(objectDepth(search, schema));
  if (isArray) depths.push(arrayDepth(search, schema));
  return depths.length === 0 ? 1 : Math.min(...depths);
}

function objectDepth(search: Search, schema: SchemaObject): number {
  const members = nameList(schema["required"]).flatMap((name) => propertySchemas([schema], name));
  return 1 + Math.max(0, ...members.map((member) => depthOf(search, member)));
}

function arrayDepth(search: Search, schema: SchemaObject): number {
  const wanted = Number(schema["minItems"] ?? 0);
  const prefix = schemaList(schema["prefixItems"]).slice(0, wanted);
  const rest = isSchema(schema["items"]) && wanted > prefix.length ? [schema["items"]] : [];
  const contained =
    isSchema(schema["contains"]) && schema["minContains"] !== 0 ? [schema["contains"]] : [];
  return (
    1 + Math.max(0, ...[...prefix, ...rest, ...contained].map((item) => depthOf(search, item)))
  );
}

/** The ids that a schema leads to, itself too, without those that are known. */
function reachable(
  schemas: Schemas,
  id: SchemaId,
  depths: ReadonlyMap<SchemaId, number>,
): SchemaId[] {
  const found = new Set<SchemaId>(depths.has(id) ? [] : [id]);
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if (isSchemaObject(value)) {
      const target = referencedId(schemas, value["$ref"]);
      if (target !== undefined && !depths.has(target)) found.add(target);
    }
    for (const member of Object.values(value)) visit(member);
  };
  // A set may grow while it is walked.
  for (const name of found) visit(schemas[name]);
  return [...found];
}
