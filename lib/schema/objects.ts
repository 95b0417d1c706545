import {
  atLeast,
  atMost,
  declaredNames,
  propertySchemas,
  requiredOf,
  withCompany,
} from "./facets.ts";
import type { Facets } from "./facets.ts";
import { foresee, isBare, nothing, placeBelow, work } from "./making.ts";
import type { Making, Place } from "./making.ts";
import { fitsNames, furtherName } from "./property-names.ts";
import { isSchemaObject } from "./reference.ts";
import { hasFlag } from "./view-names.ts";

/** Names that are thought of before an object counts as full. */
const mostNames = 500;

/**
 * Makes an object: what is required, what is declared as far as there is room, further names where more are asked for. `nothing` where
 * something required cannot be made.
 */
export function makeObject(making: Making, place: Place, way: Facets): unknown {
  const made = new Map<string, unknown>();
  const asked = requiredOf(way.parts);
  foresee(making, asked.length);
  const required = asked.filter((name) => !isHidden(making, way, name));
  const most = atMost(way, "maxProperties");
  const least = atLeast(way, "minProperties", 0);
  foresee(making, least);
  const add = (name: string, optional: boolean): boolean => {
    const value = makeMember(making, place, { way, name, optional });
    if (value === nothing) return optional;
    made.set(name, value);
    return true;
  };
  if (!required.every((name) => add(name, false))) return nothing;
  const declared = declaredNames(way.parts).filter((name) => !made.has(name));
  const wanted = isBare(making, place)
    ? []
    : declared.filter((name) => isWelcome(making, way, name));
  if (wanted.length > 0) making.optional.made = true;
  foresee(making, Math.min(most, wanted.length));
  for (const name of wanted) {
    const company = withCompany(way.parts, [name]).filter((other) => !made.has(other));
    if (made.size + company.length > most) continue;
    const values = company.map((other) =>
      makeMember(making, place, { way, name: other, optional: true }),
    );
    if (values.includes(nothing)) continue;
    for (const [index, other] of company.entries()) made.set(other, values[index]);
  }
  for (const name of declared) {
    if (made.size >= least) break;
    if (!made.has(name)) add(name, true);
  }
  const isShown = made.size === 0 && declared.length === 0 && !isBare(making, place) && isMap(way);
  if (isShown) making.optional.made = true;
  addFurther(making, place, {
    way,
    made,
    least,
    count: Math.min(most, Math.max(least, isShown ? 1 : 0)),
  });
  const order = new Set(
    [...declaredNames(way.parts), ...made.keys()].filter((name) => made.has(name)),
  );
  return Object.fromEntries([...order].map((name) => [name, made.get(name)]));
}

interface Member {
  readonly way: Facets;
  readonly name: string;
  readonly optional: boolean;
}

function makeMember(making: Making, place: Place, { way, name, optional }: Member): unknown {
  work(making, costOfName(way));
  const schemas = propertySchemas(way.parts, name);
  if (schemas.includes(false)) return nothing;
  if (optional && !fitsNames(making, way, name)) return nothing;
  const pin = way.pins.get(name);
  const below = placeBelow(place, name, { name, optional, ...(pin === undefined ? {} : { pin }) });
  return making.make(below, schemas);
}

/** Steps for finding what is said of one name. */
function costOfName({ parts }: Facets): number {
  const patterns = parts.map((part) => Object.keys(part["patternProperties"] ?? {}).length);
  return patterns.reduce((sum, count) => sum + count, parts.length / 8);
}

/** Whether a property that may be left out is shown: not what would fit another branch. */
function isWelcome(making: Making, way: Facets, name: string): boolean {
  return !way.avoid.has(name) && !isHidden(making, way, name);
}

/** Whether a property is sent by the other side alone. */
function isHidden(making: Making, way: Facets, name: string): boolean {
  work(making, costOfName(way));
  const flag = making.direction === "response" ? "writeOnly" : "readOnly";
  const search = { schemas: making.schemas, flag } as const;
  return propertySchemas(way.parts, name).some((schema) => hasFlag(search, schema));
}

/** Whether members that nobody declared have a form that is worth showing. */
function isMap({ parts }: Facets): boolean {
  return parts.some(
    (part) =>
      isSchemaObject(part["additionalProperties"]) || isSchemaObject(part["patternProperties"]),
  );
}

interface Further {
  readonly way: Facets;
  readonly made: Map<string, unknown>;
  /** Members that must be there. */
  readonly least: number;
  /** Members that are wanted. */
  readonly count: number;
}

/** Adds members under names that nobody declared, until there are as many as are wanted. */
function addFurther(making: Making, place: Place, { way, made, least, count }: Further): void {
  for (let vary = 0; made.size < count && vary < mostNames + count; vary++) {
    const name = furtherName(making, place, { way, vary });
    if (name === undefined) return;
    if (made.has(name)) continue;
    const optional = made.size >= least;
    const value = makeMember(making, place, { way, name, optional });
    if (value !== nothing) made.set(name, value);
    else if (optional) return;
  }
}
