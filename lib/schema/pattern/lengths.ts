import { spend } from "../budget.ts";
import type { Budget } from "../budget.ts";
import type { Place } from "./explore.ts";

/** Characters of the longest text that is made along an expression. */
const longest = 20_000;

/** Characters by which a varied text may be longer than it must be. */
const mostExtra = 8;

/** How long texts can be, in characters. */
export interface Lengths {
  /** By number of characters: 1 for each place from which a text can end after exactly so many. */
  readonly ends: readonly Uint8Array[];
  readonly lengths: readonly number[];
}

/** Answers the lengths that a text can have, from the shortest that is wanted on, a few more than one. Throws TooComplex where the budget is too small. */
export function lengthsOf(
  places: readonly Place[],
  { min, max }: { readonly min: number; readonly max: number },
  budget: Budget,
): Lengths {
  const ways = places.reduce((sum, { edges }) => sum + edges.length, 0);
  spend(budget, ways / 2);
  const before = leadingTo(places);
  const ends: Uint8Array[] = [Uint8Array.from(places, ({ complete }) => Number(complete))];
  const lengths: number[] = [];
  // A text that is longer than that could leave out a round of some repetition.
  const farthest = Math.min(max, longest, min + places.length + mostExtra);
  let current = places.filter(({ complete }) => complete).map(({ number }) => number);
  for (let length = 0; length <= farthest && current.length > 0; length++) {
    const now = ends[length] ?? new Uint8Array(places.length);
    if (length >= min && now[0] === 1) lengths.push(length);
    if (lengths.length > 0 && length >= (lengths[0] ?? 0) + mostExtra) break;
    const marked = new Uint8Array(places.length);
    spend(budget, 1 + places.length / 64);
    current = current.flatMap((to) => {
      const from = before[to] ?? [];
      spend(budget, 1 + from.length / 4);
      return from.filter((number) => mark(marked, number));
    });
    ends.push(marked);
  }
  return { ends, lengths };
}

/** For each place those from which one character leads to it. */
function leadingTo(places: readonly Place[]): readonly (readonly number[])[] {
  const before: number[][] = places.map(() => []);
  for (const { number, edges } of places) {
    for (const to of new Set(edges.map((edge) => edge.to.number))) before[to]?.push(number);
  }
  return before;
}

/** Marks a number; answers whether it was not yet. */
function mark(marked: Uint8Array, number: number): boolean {
  if (marked[number] === 1) return false;
  marked[number] = 1;
  return true;
}
