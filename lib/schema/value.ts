import type { Schema } from "../compiled/compiled.ts";
import { makeArray } from "./arrays.ts";
import { canonical } from "./canonical.ts";
import { choicesOf, excludedOf } from "./facets.ts";
import type { Facets } from "./facets.ts";
import { attemptAt, nothing, randomAt, use, work } from "./making.ts";
import type { Making, Place, Wish } from "./making.ts";
import { waysOf } from "./merge.ts";
import { makeObject } from "./objects.ts";
import { makeNumber } from "./range.ts";
import { makeString } from "./strings.ts";
import { typeOfValue } from "./types.ts";
import { isInside } from "./unions.ts";

/** Attempts after which a body does without what it need not have. */
const mostAttempts = 8;

/** Ways that are gone at one place before it counts as impossible. */
const mostWays = 16;

/**
 * Makes the value of a place that all the schemas must fit, or `nothing`: the first way that has one, another way with each attempt.
 * Throws TooLarge beyond the limits.
 */
export function makeValue(making: Making, place: Place, schemas: readonly Schema[]): unknown {
  work(making);
  if (place.optional && attemptAt(making, place) >= mostAttempts) return nothing;
  if (Math.max(1, ...schemas.map(making.depthOf)) === Number.POSITIVE_INFINITY) return nothing;
  // Once inside itself, a schema is left by the shortest way.
  const again = schemas.some((schema) => isInside(making, place, schema));
  const start = again ? { ...place, least: true } : place;
  let recursive = false;
  for (const way of waysFrom(making, start, schemas)) {
    const inside = [...way.ids].some((id) => place.inside.has(id));
    recursive ||= inside;
    // What may be left out is left out before it is recursive, or null only because everything else was.
    if (place.optional && (inside || (recursive && way.type === "null"))) continue;
    const here: Place = {
      ...start,
      inside: place.inside.union(way.ids),
      least: start.least || inside,
    };
    const value = valueOf(making, here, way);
    if (value !== nothing) return value;
  }
  return nothing;
}

/** The ways in their order, beginning with another one at each attempt. */
function* waysFrom(making: Making, place: Place, schemas: readonly Schema[]): Generator<Facets> {
  const attempt = attemptAt(making, place);
  const ways = waysOf(making, place, schemas).take(mostWays);
  if (attempt === 0) return yield* ways;
  const all = [...ways];
  const turn = all.length === 0 ? 0 : attempt % all.length;
  return yield* [...all.slice(turn), ...all.slice(0, turn)];
}

function valueOf(making: Making, place: Place, way: Facets): unknown {
  const given = givenValue(making, place, way);
  if (given !== nothing) return given;
  // The first further attempt only does without what the schema gives.
  const vary = place.vary + Math.max(0, attemptAt(making, place) - 1);
  const varied = vary === place.vary ? place : { ...place, vary };
  const excluded = excludedOf(way.parts);
  for (let more = 0; more <= excluded.size; more++) {
    const value = madeValue(making, more === 0 ? varied : { ...varied, vary: vary + more }, way);
    if (value === nothing || excluded.size === 0 || !excluded.has(canonical(value))) return value;
  }
  return nothing;
}

function madeValue(making: Making, place: Place, way: Facets): unknown {
  const choices = choicesOf(way.parts);
  if (choices !== undefined) return chosen(making, place, { way, choices });
  use(making, 8);
  switch (way.type) {
    case "object":
      return makeObject(making, place, way);
    case "array":
      return makeArray(making, place, way);
    case "string":
      return place.pin ?? faked(making, place, way) ?? makeString(making, place, way);
    case "integer":
    case "number":
      return faked(making, place, way) ?? makeNumber(making, place, way);
    case "boolean":
      return randomAt(making, place)?.pick([true, false]) ?? place.vary % 2 === 0;
    case "null":
    default:
      return null;
  }
}

function chosen(
  making: Making,
  place: Place,
  { way, choices }: { way: Facets; choices: readonly unknown[] },
): unknown {
  const fitting = choices.filter((choice) => fitsType(choice, way));
  if (fitting.length === 0) return nothing;
  if (place.pin !== undefined && fitting.includes(place.pin)) return take(making, place, place.pin);
  const start = randomAt(making, { ...place, vary: 0 })?.integer(0, fitting.length - 1) ?? 0;
  return take(making, place, fitting[(start + place.vary) % fitting.length]);
}

/** What the schema itself gives for this place, without a seed and at the first attempt. */
function givenValue(making: Making, place: Place, way: Facets): unknown {
  const choices = choicesOf(way.parts);
  if (making.seed !== undefined || attemptAt(making, place) > 0 || place.vary > 0) return nothing;
  if (way.parts.some((part) => Object.hasOwn(part, "const"))) return nothing;
  const values = exampleValues(way).filter((value) => way.types.has(typeOfValue(value)));
  const known = choices === undefined ? undefined : new Set(choices.map(canonical));
  const value = values.find((candidate) => known === undefined || known.has(canonical(candidate)));
  if (value === undefined) return nothing;
  making.taken.set(place.pointer, "example");
  return take(making, place, value);
}

/** `examples`, `example` and `default` of a place, in this order, the schema's own before those that it refers to. */
function exampleValues({ parts }: Pick<Facets, "parts">): unknown[] {
  return parts.flatMap((part): unknown[] => [
    ...(Array.isArray(part["examples"]) ? (part["examples"] as unknown[]) : []),
    ...(Object.hasOwn(part, "example") ? [part["example"]] : []),
    ...(Object.hasOwn(part, "default") ? [part["default"]] : []),
  ]);
}

function take(making: Making, place: Place, value: unknown): unknown {
  use(making, JSON.stringify(value)?.length ?? 0);
  if (!making.taken.has(place.pointer)) making.taken.set(place.pointer, "choice");
  return value;
}

function fitsType(value: unknown, { type }: Facets): boolean {
  const found = typeOfValue(value);
  return found === type || (found === "integer" && type === "number");
}

/** What the source of lifelike values knows for a scalar; what is not of the type is not taken. */
function faked(making: Making, place: Place, way: Facets): unknown {
  const random = randomAt(making, place);
  if (random === undefined || making.fake === undefined || attemptAt(making, place) > 0)
    return undefined;
  const format = way.parts.map((part) => part["format"]).find((value) => typeof value === "string");
  const faker = way.parts.map((part) => part["x-faker"]).find((value) => value !== undefined);
  const wish: Wish = {
    name: place.name,
    type: way.type,
    seed: random.integer(0, 0x7fff_ffff),
    ...(faker === undefined ? {} : { faker }),
    ...(format === undefined ? {} : { format }),
  };
  const value = making.fake(wish);
  return value !== undefined && fitsType(value, way) ? value : undefined;
}
