import type { Schema } from "../compiled/compiled.ts";
import { declaredNames, requiredOf } from "./facets.ts";
import { randomAt } from "./making.ts";
import type { Making, Place } from "./making.ts";
import {
  isSchemaObject,
  nameList,
  referenced,
  referencedId,
  schemaAt,
  schemaList,
} from "./reference.ts";
import type { SchemaObject } from "./reference.ts";

/** A choice between schemas for one place. */
export interface Union {
  readonly branches: readonly Schema[];
  /** The schema that the union stands in. */
  readonly owner: SchemaObject;
  /** Whether no second branch may fit (`oneOf`). */
  readonly exclusive: boolean;
}

/** Answers the choices that a schema offers: `oneOf`, `anyOf`, `if` held or missed, `dependentSchemas` with or without the property. */
export function unionsOf(schema: SchemaObject): Union[] {
  const unions: Union[] = [];
  for (const keyword of ["oneOf", "anyOf"]) {
    const branches = schemaList(schema[keyword]);
    if (branches.length > 0)
      unions.push({ branches, owner: schema, exclusive: keyword === "oneOf" });
  }
  const { if: condition, then: consequence, else: alternative } = schema;
  if (condition !== undefined && (consequence !== undefined || alternative !== undefined)) {
    const held = { allOf: schemaList([condition, consequence ?? true]) };
    const missed = { allOf: schemaList([alternative ?? true, { not: condition }]) };
    unions.push({ branches: [held, missed], owner: {}, exclusive: false });
  }
  const dependent = isSchemaObject(schema["dependentSchemas"]) ? schema["dependentSchemas"] : {};
  for (const [name, along] of Object.entries(dependent)) {
    const without = { properties: { [name]: false } };
    unions.push({ branches: schemaList([along, without]), owner: {}, exclusive: false });
  }
  return unions;
}

/** Answers the branches that can be made at all, the better ones first: null and what leads back inside a schema last. */
export function inOrder(
  making: Making,
  place: Place,
  branches: readonly Schema[],
): readonly Schema[] {
  const ranked = branches
    .map((branch) => ({ branch, rank: rankOf(making, place, branch) }))
    .filter(({ rank }) => rank !== Number.POSITIVE_INFINITY)
    .toSorted((a, b) => a.rank - b.rank);
  const best = ranked.filter(({ rank }) => rank === ranked[0]?.rank);
  const random = randomAt(making, place);
  // A seed turns the equally good ones, so that each comes first at times.
  const turn = random === undefined ? 0 : random.integer(0, best.length - 1);
  const turned = [...best.slice(turn), ...best.slice(0, turn), ...ranked.slice(best.length)];
  return turned.map(({ branch }) => branch);
}

function rankOf(making: Making, place: Place, branch: Schema): number {
  const depth = making.depthOf(branch);
  if (place.least || depth === Number.POSITIVE_INFINITY) return depth;
  const isNull = isSchemaObject(branch) && branch["type"] === "null";
  return (isInside(making, place, branch) ? 2000 + depth : 0) + (isNull ? 1000 : 0);
}

/** Answers whether a schema is, in each case, one that the place is inside of. */
export function isInside(making: Making, place: Place, schema: Schema): boolean {
  if (!isSchemaObject(schema)) return false;
  const id = referencedId(making.schemas, schema["$ref"]);
  if (id !== undefined && place.inside.has(id)) return true;
  return schemaList(schema["allOf"]).some((part) => isInside(making, place, part));
}

/** Answers a name for each other branch of an exclusive union that it asks for and the parts do not: left out, that one does not fit. */
export function namesOfOthers(
  making: Making,
  parts: readonly SchemaObject[],
  { branches }: Union,
  branch: Schema,
): string[] {
  const own = new Set(requiredOf(parts));
  return branches.flatMap((other) => {
    if (other === branch) return [];
    const asked = partsOf(making, other).flatMap((part) => nameList(part["required"]));
    return asked.filter((name) => !own.has(name)).slice(0, 1);
  });
}

/**
 * Answers a schema by which the other branches of an exclusive union do not fit, where they leave no better way: a property that only the other
 * one declares gets a value that it refuses. Undefined where there is no such property for one of them.
 */
export function spoilOthers(
  making: Making,
  parts: readonly SchemaObject[],
  { branches }: Union,
  branch: Schema,
): Schema | undefined {
  const own = new Set(declaredNames(parts));
  const spoiled: [string, Schema][] = [];
  for (const other of branches) {
    if (other === branch) continue;
    const declared = partsOf(making, other).flatMap((part) =>
      Object.keys(part["properties"] ?? {}).map(
        (name) => [name, schemaAt(part["properties"], name)] as const,
      ),
    );
    const found = declared.find(
      ([name, schema]) =>
        !own.has(name) && isSchemaObject(schema) && typeof schema["type"] === "string",
    );
    const type = found === undefined || !isSchemaObject(found[1]) ? undefined : found[1]["type"];
    if (found === undefined) return undefined;
    spoiled.push([found[0], { not: { type } }]);
  }
  return { properties: Object.fromEntries(spoiled), required: spoiled.map(([name]) => name) };
}

/** A schema with what it refers to, and the parts of its `allOf`. */
function partsOf(making: Making, schema: Schema | undefined, depth = 0): SchemaObject[] {
  if (!isSchemaObject(schema) || depth > 8) return [];
  const more = [referenced(making.schemas, schema["$ref"]), ...schemaList(schema["allOf"])];
  return [schema, ...more.flatMap((part) => partsOf(making, part, depth + 1))];
}
