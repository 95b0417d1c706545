import type { Schema, SchemaId } from "../compiled/compiled.ts";
import { patternMatches } from "./pattern/matcher.ts";
import { isSchema, isSchemaObject, referencedId, schemaAt, schemaList } from "./reference.ts";
import type { SchemaObject, Schemas } from "./reference.ts";
import { typeNames, typeOfValue, typesOfKeyword } from "./types.ts";
import type { TypeName } from "./types.ts";

export type { TypeName } from "./types.ts";

/** What a schema says of a value's form, before a value is there. */
export interface Shape {
  /** The types that are allowed; `number` always comes with `integer`. All seven where nothing is said, none where no value fits. */
  readonly types: ReadonlySet<TypeName>;
  /** Answers the schema that a declared property must fit, undefined where neither `properties` nor `patternProperties` does. */
  property(name: string): Schema | undefined;
  /** The schema of properties that nobody declared, where one is given. */
  readonly additional: Schema | undefined;
  /** Answers the schema that the item at an index must fit, undefined where none is given. */
  items(index: number): Schema | undefined;
  readonly default?: unknown;
  /** False tells an absent default from a `default` of null. */
  readonly hasDefault: boolean;
}

const nothingSaid: Shape = {
  types: new Set(typeNames),
  property: () => undefined,
  additional: undefined,
  items: () => undefined,
  hasDefault: false,
};

/**
 * Answers what a schema, or the schema of an id, says of types: through `$ref`, `allOf`, and the branches of `anyOf` and `oneOf`.
 * Finite on schemas that refer to themselves. Never throws: what is not understood says nothing. It judges no value.
 */
export function shapeOf(schemas: Schemas, schema: Schema | SchemaId): Shape {
  const walk: Walk = { schemas, shapes: new Map() };
  try {
    const shape =
      typeof schema === "string" ? shapeOfId(walk, schema) : shapeOfSchema(walk, schema);
    return shape ?? nothingSaid;
  } catch (error) {
    // A schema that is nested without end exhausts the stack.
    if (error instanceof RangeError) return nothingSaid;
    throw error;
  }
}

/** Shapes by id: a schema that many share is read once, and one that is being read has none yet. */
interface Walk {
  readonly schemas: Schemas;
  readonly shapes: Map<SchemaId, Shape | undefined>;
}

function shapeOfId(walk: Walk, id: SchemaId): Shape | undefined {
  if (walk.shapes.has(id)) return walk.shapes.get(id);
  // A schema that refers to itself in place says nothing new the second time.
  walk.shapes.set(id, undefined);
  const shape = shapeOfSchema(walk, walk.schemas[id] ?? true);
  walk.shapes.set(id, shape);
  return shape;
}

function shapeOfSchema(walk: Walk, schema: Schema): Shape {
  if (schema === true) return nothingSaid;
  if (schema === false) return { ...nothingSaid, types: new Set() };
  const shapes = [ownShape(schema), ...shapesOf(walk, schema["allOf"])];
  const id = referencedId(walk.schemas, schema["$ref"]);
  const target = id === undefined ? undefined : shapeOfId(walk, id);
  if (target !== undefined) shapes.push(target);
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = shapesOf(walk, schema[keyword]);
    if (branches.length > 0) shapes.push(branches.reduce(either));
  }
  return shapes.reduce(both);
}

/** The shapes of the branches; one that only leads back to where we are is left out. */
function shapesOf(walk: Walk, branches: unknown): Shape[] {
  return schemaList(branches).flatMap((branch) => {
    const id = isSchemaObject(branch) ? referencedId(walk.schemas, branch["$ref"]) : undefined;
    const lone = id !== undefined && Object.keys(branch).length === 1;
    const shape = lone ? shapeOfId(walk, id) : shapeOfSchema(walk, branch);
    return shape === undefined ? [] : [shape];
  });
}

function ownShape(schema: SchemaObject): Shape {
  const prefix = schemaList(schema["prefixItems"]);
  const rest = schema["items"];
  const additional = schema["additionalProperties"];
  return {
    types: ownTypes(schema),
    property: (name) => schemaAt(schema["properties"], name) ?? schemaByPattern(schema, name),
    additional: isSchemaObject(additional) ? additional : undefined,
    items: (index) => prefix[index] ?? (isSchema(rest) ? rest : undefined),
    ...defaultOf(Object.hasOwn(schema, "default"), schema["default"]),
  };
}

function schemaByPattern(schema: SchemaObject, name: string): Schema | undefined {
  const patterns = schema["patternProperties"];
  if (!isSchemaObject(patterns)) return undefined;
  const pattern = Object.keys(patterns).find((candidate) => patternMatches(candidate, name));
  return pattern === undefined ? undefined : schemaAt(patterns, pattern);
}

function ownTypes(schema: SchemaObject): ReadonlySet<TypeName> {
  const types = typesOfKeyword(schema["type"]);
  const values = Object.hasOwn(schema, "const") ? [schema["const"]] : schema["enum"];
  if (!Array.isArray(values)) return types;
  return types.intersection(new Set(values.map(typeOfValue)));
}

function both(a: Shape, b: Shape): Shape {
  return combine(a, b, { types: a.types.intersection(b.types), keyword: "allOf" });
}

function either(a: Shape, b: Shape): Shape {
  return combine(a, b, { types: a.types.union(b.types), keyword: "anyOf" });
}

function combine(
  a: Shape,
  b: Shape,
  { types, keyword }: { types: ReadonlySet<TypeName>; keyword: "allOf" | "anyOf" },
): Shape {
  return {
    types,
    property: remember((name: string) => join(keyword, a.property(name), b.property(name))),
    additional: join(keyword, a.additional, b.additional),
    items: remember((index: number) => join(keyword, a.items(index), b.items(index))),
    ...(a.hasDefault ? defaultOf(true, a.default) : defaultOf(b.hasDefault, b.default)),
  };
}

/** Asked twice, answered once: shapes share parts, and without memory each level would double the work. */
function remember<Key>(find: (key: Key) => Schema | undefined): (key: Key) => Schema | undefined {
  const found = new Map<Key, Schema | undefined>();
  return (key) => {
    if (!found.has(key)) found.set(key, find(key));
    return found.get(key);
  };
}

function join(keyword: "allOf" | "anyOf", a?: Schema, b?: Schema): Schema | undefined {
  if (a === undefined || b === undefined || a === b) return a ?? b;
  return { [keyword]: [a, b] };
}

function defaultOf(has: boolean, value: unknown): Pick<Shape, "default" | "hasDefault"> {
  return has ? { default: value, hasDefault: true } : { hasDefault: false };
}
