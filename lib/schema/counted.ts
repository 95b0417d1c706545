import type { Schema } from "../compiled/compiled.ts";
import { keywordKinds } from "./keywords.ts";
import { isSchemaObject, schemaList } from "./reference.ts";
import type { SchemaObject } from "./reference.ts";

/** How much work a schema is, as `$step` holds it. */
export interface Steps {
  /** Steps for one look at the schema. */
  readonly weight: number;
  /** Whether each member of an object is looked at. */
  readonly members: boolean;
  /** Steps for one look at an item. */
  readonly item: number;
}

/** Answers the schema with many properties as `$members`, and with `$step` wherever work can multiply; in mode `all` everywhere, so that errors are counted too. */
export function counted(schema: Schema, mode: "first" | "all"): Schema {
  if (typeof schema === "boolean") return schema;
  const large = isLarge(schema["properties"]) ? largeOf(schema, schema["properties"]) : undefined;
  const members = Object.entries(large ?? schema).map(([keyword, value]): [string, unknown] => {
    const kind = keywordKinds.get(keyword);
    if (kind === "schema") return [keyword, counted(value as Schema, mode)];
    if (kind === "schemas")
      return [keyword, (value as Schema[]).map((item) => counted(item, mode))];
    if (kind === "schema map")
      return [keyword, mapValues(value as Record<string, Schema>, (item) => counted(item, mode))];
    // Ajv looks at `type` before any keyword; errors about it would not be counted.
    return [mode === "all" && keyword === "type" ? "$type" : keyword, value];
  });
  if (mode === "first" && !Object.keys(schema).some((keyword) => multiplies.has(keyword)))
    return Object.fromEntries(members);
  return Object.fromEntries([["$step", stepsOf(schema)], ...members]);
}

/** Properties beyond which Ajv's code, a level deeper with each, takes long to make or exhausts the stack. */
const mostProperties = 100;

function isLarge(properties: unknown): properties is Readonly<Record<string, Schema>> {
  return isSchemaObject(properties) && Object.keys(properties).length > mostProperties;
}

/** The members of an object with many properties, as `$members` holds them. */
export interface Members {
  readonly properties: ReadonlyMap<string, Schema>;
  /** Expressions of names that `additional` does not speak of. */
  readonly patterns: readonly string[];
  /** `additionalProperties`, undefined where nothing is said. */
  readonly additional: Schema | undefined;
}

function largeOf(schema: SchemaObject, properties: Readonly<Record<string, Schema>>): SchemaObject {
  const { properties: _, additionalProperties: additional, ...rest } = schema;
  const $members: Members = {
    // A map, so that Ajv does not look into it.
    properties: new Map(Object.entries(properties)),
    patterns: Object.keys(rest["patternProperties"] ?? {}),
    additional: additional as Schema | undefined,
  };
  return { ...rest, $members };
}

/** Keywords through which one value, or each of its parts, is looked at more than once. */
const multiplies: ReadonlySet<string> = new Set([
  "$ref", "allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas", "items", "prefixItems", "contains", "unevaluatedItems",
  "patternProperties", "additionalProperties", "propertyNames", "unevaluatedProperties",
]); // oxfmt-ignore

function stepsOf(schema: SchemaObject): Steps {
  const branches = ["allOf", "anyOf", "oneOf"].map((keyword) => schemaList(schema[keyword]).length);
  const properties = Object.keys(schema["properties"] ?? {}).length;
  return {
    weight: branches.reduce((sum, count) => sum + count, 1 + Math.floor(properties / 8)),
    // An item that does not fit `contains` is an error that is made and forgotten.
    item: Object.hasOwn(schema, "contains") ? 4 : 0.25,
    members: ["patternProperties", "additionalProperties", "propertyNames", "unevaluatedProperties"].some((keyword) => Object.hasOwn(schema, keyword)),
  }; // oxfmt-ignore
}

function mapValues<A, B>(
  map: Readonly<Record<string, A>>,
  change: (value: A) => B,
): Record<string, B> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));
}
