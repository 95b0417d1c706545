import type { Schema, SchemaId } from "../compiled/compiled.ts";
import { isSchemaObject, nameList, referenced, schemaList } from "./reference.ts";
import type { SchemaObject, Schemas } from "./reference.ts";

/** Names that need not be there: `everywhere` in a place, or only `outside` the branches of its unions. */
export interface Names {
  readonly everywhere: ReadonlySet<string>;
  readonly outside: ReadonlySet<string>;
}

/** What is looked for: properties with this annotation. */
export interface Flagged {
  readonly schemas: Schemas;
  readonly flag: "readOnly" | "writeOnly";
}

/**
 * Answers the names that a schema declares with the flag, here and in what counts for the same value: `$ref`, `allOf`, and, `outside`
 * alone, the branches of unions. A property has the flag itself, through `$ref`, or in a part of `allOf`.
 */
export function flaggedNames({ schemas, flag }: Flagged, schema: SchemaObject): Names {
  const found = { everywhere: new Set<string>(), outside: new Set<string>() };
  collect({ schemas, flag, seen: new Set() }, schema, [found.everywhere, found.outside]);
  return found;
}

/** Answers every name that a named schema may ask for in its own place, in whatever branch. */
export function requiredNames(schemas: Schemas, id: SchemaId): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<Schema>();
  const visit = (schema: Schema | undefined): void => {
    if (!isSchemaObject(schema) || seen.has(schema)) return;
    seen.add(schema);
    for (const list of [schema["required"], ...membersOf(schema["dependentRequired"])]) {
      for (const name of nameList(list)) names.add(name);
    }
    for (const part of [...partsOf(schemas, schema), ...branchesOf(schema)]) visit(part);
  };
  visit(schemas[id]);
  return names;
}

interface Search extends Flagged {
  readonly seen: Set<Schema>;
}

function collect(search: Search, schema: Schema, found: readonly Set<string>[]): void {
  if (!isSchemaObject(schema) || search.seen.has(schema)) return;
  search.seen.add(schema);
  const properties = isSchemaObject(schema["properties"]) ? schema["properties"] : {};
  for (const [name, property] of Object.entries(properties)) {
    if (hasFlag(search, property)) for (const names of found) names.add(name);
  }
  for (const part of partsOf(search.schemas, schema)) collect(search, part, found);
  for (const branch of branchesOf(schema)) collect(search, branch, found.slice(-1));
}

/** Answers whether a property's schema has the flag: itself, through `$ref`, or in a part of `allOf`. */
export function hasFlag(search: Flagged, schema: unknown, seen = new Set<unknown>()): boolean {
  if (!isSchemaObject(schema) || seen.has(schema)) return false;
  if (schema[search.flag] === true) return true;
  seen.add(schema);
  return partsOf(search.schemas, schema).some((part) => hasFlag(search, part, seen));
}

/** The schemas that count for the same value, always. */
function partsOf(schemas: Schemas, schema: SchemaObject): readonly Schema[] {
  return schemaList([referenced(schemas, schema["$ref"]), ...schemaList(schema["allOf"])]);
}

/** The schemas that may count for the same value, but need not. */
function branchesOf(schema: SchemaObject): readonly Schema[] {
  return schemaList([
    ...schemaList(schema["anyOf"]),
    ...schemaList(schema["oneOf"]),
    schema["then"],
    schema["else"],
    ...membersOf(schema["dependentSchemas"]),
  ]);
}

function membersOf(map: unknown): unknown[] {
  return isSchemaObject(map) ? Object.values(map) : [];
}
