import { createRandom } from "../random.ts";
import type { Random } from "../random.ts";
import type { Condition } from "./conditions.ts";
import { exploreTexts } from "./explore.ts";
import type { Place } from "./explore.ts";
import type { Letters } from "./letters.ts";
import { compilePattern, patternMatches } from "./matcher.ts";
import type { Pattern } from "./matcher.ts";
import { walkPattern } from "./walk.ts";

/** What a text must be like besides matching. Lengths count code points. */
export interface PatternWish {
  readonly min: number;
  readonly max: number;
  /** Another number asks for another text. */
  readonly vary: number;
  readonly random: Random | undefined;
}

/** Texts that are tried where an expression cannot be followed exactly. */
const mostWalks = 60;

/** Characters by which a varied text may be longer than it must be. */
const mostExtra = 8;

/** Steps for finding out which texts there are. */
const explorationSteps = 20_000_000;

/**
 * Answers a text in which all patterns are found, within the lengths: exactly for regular expressions, by trying where there are references
 * or looks around in the middle. Undefined where none was found.
 */
export function patternSample(sources: readonly string[], wish: PatternWish): string | undefined {
  try {
    const patterns = sources.map(compilePattern);
    const conditions = conditionsOfAll(patterns);
    return conditions === undefined ? walked(patterns, wish) : followed(conditions, wish);
  } catch {
    // No regular expression, or too much work.
    return undefined;
  }
}

/** The conditions of all patterns, undefined where one of them has none or counts characters differently. */
function conditionsOfAll(patterns: readonly Pattern[]): readonly Condition[] | undefined {
  const conditions = patterns.map(({ conditions: own, unicode }) => (unicode ? own : undefined));
  return conditions.every((own) => own !== undefined) ? conditions.flat() : undefined;
}

/** Steps for finding out which lengths are possible. */
const mostMarks = 20_000_000;

/** Characters of the longest text that is made along an expression. */
const longest = 20_000;

interface Way {
  readonly places: readonly Place[];
  /** By number of characters: 1 for each place from which a text can end after exactly so many. */
  readonly ends: readonly Uint8Array[];
}

function followed(conditions: readonly Condition[], wish: PatternWish): string | undefined {
  const places = exploreTexts(conditions, { left: explorationSteps });
  const { ends, lengths } = lengthsOf(places, wish);
  const random = wish.random ?? (wish.vary > 0 ? createRandom(`text ${wish.vary}`) : undefined);
  const [shortest] = lengths;
  if (shortest === undefined) return undefined;
  return spell({ places, ends }, random?.pick(lengths) ?? shortest, random);
}

/** The lengths that a text can have, from the shortest that is wanted on, a few more than one. */
function lengthsOf(
  places: readonly Place[],
  { min, max }: PatternWish,
): { ends: Uint8Array[]; lengths: number[] } {
  const next = places.map(({ edges }) => [...new Set(edges.map(({ to }) => to.number))]);
  const steps = next.reduce((sum, numbers) => sum + numbers.length, 1);
  const ends: Uint8Array[] = [Uint8Array.from(places, ({ complete }) => Number(complete))];
  const lengths: number[] = [];
  // A text that is longer than that could leave out a round of some repetition.
  const farthest = Math.min(max, longest, min + places.length + mostExtra);
  for (let length = 0; length <= farthest && length * steps < mostMarks; length++) {
    const now = ends[length] ?? new Uint8Array(places.length);
    if (length >= min && now[0] === 1) lengths.push(length);
    if (lengths.length > 0 && length >= (lengths[0] ?? 0) + mostExtra) break;
    ends.push(
      Uint8Array.from(next, (numbers) => Number(numbers.some((number) => now[number] === 1))),
    );
  }
  return { ends, lengths };
}

function spell(
  { places, ends }: Way,
  length: number,
  random: Random | undefined,
): string | undefined {
  const used = new Map<Letters, number>();
  let [place] = places;
  let text = "";
  for (let left = length - 1; left >= 0 && place !== undefined; left--) {
    const edges = place.edges.filter(({ to }) => ends[left]?.[to.number] === 1);
    const edge = random === undefined ? edges[0] : random.pick(edges.flatMap(weighted));
    if (edge === undefined) return undefined;
    const count = used.get(edge.letters) ?? 0;
    used.set(edge.letters, count + 1);
    const usual = edge.letters.slice(0, mostLetters);
    const letter = random?.pick(usual) ?? usual[count % usual.length] ?? edge.letters[0];
    text += String.fromCodePoint(letter);
    place = edge.to;
  }
  return text;
}

/** Letters of a group that are used: those behind them are rarely readable. */
const mostLetters = 62;

/** A group of many letters comes more often. */
function weighted<Edge extends Place["edges"][number]>(edge: Edge): Edge[] {
  return edge.letters.slice(0, 8).map(() => edge);
}

function walked(patterns: readonly Pattern[], wish: PatternWish): string | undefined {
  const leading = patterns.find(({ conditions }) => conditions === undefined) ?? patterns[0];
  if (leading?.node === undefined) return undefined;
  const random = wish.random ?? createRandom(`walk ${wish.vary}`);
  for (let walk = 0; walk < mostWalks; walk++) {
    const text = walkPattern(leading.node, random, walk % 10);
    const length = Array.from(text).length;
    const fits = length >= wish.min && length <= wish.max;
    if (fits && patterns.every(({ source }) => patternMatches(source, text))) return text;
  }
  return undefined;
}
