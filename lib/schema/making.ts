import type { Schema, SchemaId } from "../compiled/compiled.ts";
import type { Budget } from "./budget.ts";
import { createRandom } from "./random.ts";
import type { Random } from "./random.ts";
import type { Schemas } from "./reference.ts";
import type { TypeName } from "./types.ts";

/** What a source of lifelike words is asked for. */
export interface Wish {
  /** The value of `x-faker`, where the schema has one. */
  readonly faker?: unknown;
  /** The property's name, `""` where there is none. */
  readonly name: string;
  readonly type: TypeName;
  readonly format?: string;
  /** An integer: the same one must bring the same value. */
  readonly seed: number;
}

/** A source of lifelike values, used with a seed alone. Answers undefined where it knows nothing better. */
export type Fake = (wish: Wish) => unknown;

/** No value can be made here. */
export const nothing: unique symbol = Symbol("nothing");

/** The value is larger than was allowed. */
export class TooLarge extends Error {
  override readonly name = "TooLarge";
}

/** No more steps are left for looking for a value. */
export class TooMuchWork extends Error {
  override readonly name = "TooMuchWork";
}

/** One attempt to make a body: what stays the same over all its places. */
export interface Making {
  readonly schemas: Schemas;
  readonly direction: "request" | "response";
  readonly seed?: string;
  readonly fake?: Fake;
  /** How often a place was tried before, by JSON Pointer. */
  readonly attempts: ReadonlyMap<string, number>;
  /** Level from which on only what is required is made. */
  readonly fullDepth: number;
  readonly limits: { readonly nodes: number; readonly bytes: number };
  /** What is used up so far. */
  readonly used: { nodes: number; bytes: number };
  /** Whether something was made that need not be there, so that a lower depth makes less. */
  readonly optional: { made: boolean };
  /** Steps that are left for this attempt and all that follow. */
  readonly steps: { left: number };
  /** Steps that patterns may still take, in this attempt and all that follow. */
  readonly patterns: Budget;
  /** Pointers of values that were taken from the schema as a whole, and what they are there. */
  readonly taken: Map<string, "example" | "choice">;
  /** Levels that the smallest value of a schema has, Infinity where there is none. */
  depthOf(this: void, schema: Schema): number;
  /** Makes the value of a place that all the schemas must fit, or `nothing`. */
  make(this: void, place: Place, schemas: readonly Schema[]): unknown;
}

/** Where in the body a value is made. */
export interface Place {
  readonly pointer: string;
  /** Name of the property, or of the list that it is an item of. */
  readonly name: string;
  readonly depth: number;
  /** Another number asks for another value. */
  readonly vary: number;
  /** Schemas that this place is inside of. */
  readonly inside: ReadonlySet<SchemaId>;
  /** Whether the body may do without this value. */
  readonly optional: boolean;
  /** A schema is inside itself because it must be: the smallest value is wanted. */
  readonly least: boolean;
  /** A value that a discriminator wants here. */
  readonly pin?: string;
}

/** Answers the place of a member of this place. */
export function placeBelow(place: Place, step: string | number, change: Partial<Place>): Place {
  const { pin: _, ...rest } = place;
  const escaped = String(step).replaceAll("~", "~0").replaceAll("/", "~1");
  return { ...rest, pointer: `${place.pointer}/${escaped}`, depth: place.depth + 1, ...change };
}

/** Answers how often the place was tried before. */
export function attemptAt(making: Making, place: Place): number {
  return making.attempts.get(place.pointer) ?? 0;
}

/** Answers the numbers of a place, which no other place disturbs; undefined without a seed. */
export function randomAt(making: Making, place: Place): Random | undefined {
  if (making.seed === undefined) return undefined;
  return createRandom(
    `${making.seed}\n${place.pointer}\n${place.vary}\n${attemptAt(making, place)}`,
  );
}

/** Answers whether only what is required is wanted here. */
export function isBare(making: Making, place: Place): boolean {
  return place.least || place.depth >= making.fullDepth;
}

/** Counts one value of about that many bytes. Throws TooLarge beyond the limits. */
export function use(making: Making, bytes: number): void {
  making.used.nodes += 1;
  making.used.bytes += bytes;
  const { nodes, bytes: most } = making.limits;
  if (making.used.nodes > nodes || making.used.bytes > most)
    throw new TooLarge("the body is too large");
}

/** Throws TooLarge where so many further values, or so many bytes, are more than the limits allow: before the first of them is made. */
export function foresee({ used, limits }: Making, nodes: number, bytes = 0): void {
  if (used.nodes + nodes > limits.nodes || used.bytes + bytes > limits.bytes)
    throw new TooLarge("the body is too large");
}

/** Counts steps of looking for a value. Throws TooMuchWork where none is left. */
export function work({ steps }: Making, count = 1): void {
  steps.left -= count;
  if (steps.left < 0) throw new TooMuchWork("the body takes too many steps to make");
}
