import type { Schema, SchemaId } from "../compiled/compiled.ts";
import { canonical } from "./canonical.ts";
import { patternMatches } from "./pattern/matcher.ts";
import { isSchema, isSchemaObject, nameList, schemaAt, schemaList } from "./reference.ts";
import type { SchemaObject } from "./reference.ts";
import type { TypeName } from "./types.ts";

/** All that is said of one place at once: schemas that a value must fit together, without their `$ref`, `allOf` and unions. */
export interface Facets {
  readonly parts: readonly SchemaObject[];
  /** The type that was chosen among those that are allowed. */
  readonly type: TypeName;
  readonly types: ReadonlySet<TypeName>;
  /** Named schemas that were read for this place. */
  readonly ids: ReadonlySet<SchemaId>;
  /** What discriminators want of properties. */
  readonly pins: ReadonlyMap<string, string>;
  /** Optional properties that had better be left out. */
  readonly avoid: ReadonlySet<string>;
}

/** Answers the numbers that the parts give for a keyword. */
export function numbersOf({ parts }: Facets, keyword: string): number[] {
  return parts.map((part) => part[keyword]).filter((value) => typeof value === "number");
}

/** Answers the strings that the parts give for a keyword, each once. */
export function textsOf({ parts }: Facets, keyword: string): string[] {
  return [
    ...new Set(parts.map((part) => part[keyword]).filter((value) => typeof value === "string")),
  ];
}

/** Answers the strictest lower bound of a keyword, or the one that always holds. */
export function atLeast(facets: Facets, keyword: string, otherwise: number): number {
  return Math.max(otherwise, ...numbersOf(facets, keyword));
}

/** Answers the strictest upper bound of a keyword, Infinity where there is none. */
export function atMost(facets: Facets, keyword: string): number {
  return Math.min(Number.POSITIVE_INFINITY, ...numbersOf(facets, keyword));
}

/** Answers the values that `const` and `enum` leave, undefined where neither says anything. */
export function choicesOf(parts: readonly SchemaObject[]): readonly unknown[] | undefined {
  const lists = parts.flatMap((part) => {
    const single = Object.hasOwn(part, "const") ? [[part["const"]]] : [];
    return Array.isArray(part["enum"]) ? [...single, part["enum"] as unknown[]] : single;
  });
  const [first, ...others] = lists;
  if (first === undefined) return undefined;
  const known = others.map((list) => new Set(list.map(canonical)));
  const excluded = excludedOf(parts);
  if (known.length === 0 && excluded.size === 0) return first;
  return first.filter((value) => {
    const text = canonical(value);
    return !excluded.has(text) && known.every((list) => list.has(text));
  });
}

/** Answers the values that `not` with `const` or `enum` forbids, in canonical form. */
export function excludedOf(parts: readonly SchemaObject[]): ReadonlySet<string> {
  const values = parts.flatMap((part): unknown[] => {
    const not = part["not"];
    if (!isSchemaObject(not)) return [];
    if (Object.hasOwn(not, "const")) return [not["const"]];
    return Array.isArray(not["enum"]) ? not["enum"] : [];
  });
  return new Set(values.map(canonical));
}

/** Answers the schemas that a property's value must fit: each part's own, or what it says of others. */
export function propertySchemas(parts: readonly SchemaObject[], name: string): Schema[] {
  return parts.flatMap((part): Schema[] => {
    const declared = schemaAt(part["properties"], name);
    const matched = Object.entries(mapOf(part["patternProperties"]))
      .filter(([pattern, schema]) => isSchema(schema) && patternMatches(pattern, name))
      .map(([, schema]) => schema as Schema);
    const own = declared === undefined ? matched : [declared, ...matched];
    if (own.length > 0) return own;
    return isSchema(part["additionalProperties"])
      ? [part["additionalProperties"]]
      : unevaluated(parts, part, name);
  });
}

/** Answers the names that the parts declare, in order, each once. */
export function declaredNames(parts: readonly SchemaObject[]): readonly string[] {
  return [...new Set(parts.flatMap((part) => Object.keys(mapOf(part["properties"]))))];
}

/** Answers the names that must be there, in order, each once; those that others ask for too. */
export function requiredOf(parts: readonly SchemaObject[]): readonly string[] {
  return withCompany(
    parts,
    parts.flatMap((part) => nameList(part["required"])),
  );
}

/** Answers names together with those that must be there because of them. */
export function withCompany(
  parts: readonly SchemaObject[],
  names: readonly string[],
): readonly string[] {
  const all = new Set(names);
  // A set may grow while it is walked.
  for (const name of all) {
    for (const part of parts) {
      const map = mapOf(part["dependentRequired"]);
      for (const other of Object.hasOwn(map, name) ? nameList(map[name]) : []) all.add(other);
    }
  }
  return [...all];
}

/** Answers the schemas that the item at an index must fit. */
export function itemSchemas(parts: readonly SchemaObject[], index: number): Schema[] {
  return parts.flatMap((part): Schema[] => {
    const own = schemaList(part["prefixItems"])[index] ?? part["items"] ?? undefined;
    if (isSchema(own)) return [own];
    const rest = part["unevaluatedItems"];
    return isSchema(rest) && index >= prefixLength(parts) ? [rest] : [];
  });
}

/** Answers how many items have a schema of their own. */
export function prefixLength(parts: readonly SchemaObject[]): number {
  return Math.max(0, ...parts.map((part) => schemaList(part["prefixItems"]).length));
}

/** `unevaluatedProperties` speaks of names that no part declares. */
function unevaluated(parts: readonly SchemaObject[], part: SchemaObject, name: string): Schema[] {
  const rest = part["unevaluatedProperties"];
  if (!isSchema(rest)) return [];
  const evaluated = parts.some(
    (other) =>
      schemaAt(other["properties"], name) !== undefined ||
      Object.keys(mapOf(other["patternProperties"])).some((pattern) =>
        patternMatches(pattern, name),
      ) ||
      (other !== part && isSchema(other["additionalProperties"])),
  );
  return evaluated ? [] : [rest];
}

function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  return isSchemaObject(value) ? value : {};
}
