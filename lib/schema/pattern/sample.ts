import type { Budget } from "../budget.ts";
import { createRandom } from "../random.ts";
import type { Random } from "../random.ts";
import type { Charset } from "./charset.ts";
import type { Condition } from "./conditions.ts";
import { exploreTexts } from "./explore.ts";
import type { Place } from "./explore.ts";
import type { Letters } from "./letters.ts";
import { lengthsOf } from "./lengths.ts";
import type { Lengths } from "./lengths.ts";
import { compilePattern } from "./matcher.ts";
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

/** Steps for one text, about a tenth of a second. */
const mostSteps = 3_000_000;

/** Steps of these for finding out which texts there are; the rest is for choosing one. */
const explorationSteps = 2_000_000;

/**
 * Answers a text in which all patterns are found, within the lengths: exactly for regular expressions, by trying where there are references
 * or looks around in the middle. Undefined where none was found within three million steps, or what the budget has.
 */
export function patternSample(
  sources: readonly string[],
  wish: PatternWish,
  budget: Budget = { left: mostSteps },
): string | undefined {
  const own = { left: Math.min(budget.left, mostSteps) };
  const before = own.left;
  try {
    const patterns = sources.map(compilePattern);
    const conditions = conditionsOfAll(patterns);
    if (conditions === undefined) return walked(patterns, wish, own);
    return followed(explored(sources, conditions, own), wish, own);
  } catch {
    // No regular expression, or too much work.
    return undefined;
  } finally {
    budget.left -= before - own.left;
  }
}

/** Places and ways between them that are kept for the next text of the same patterns. */
const mostKept = 100_000;
const kept = { places: new Map<string, readonly Place[]>(), size: 0 };

function explored(
  sources: readonly string[],
  conditions: readonly Condition[],
  budget: Budget,
): readonly Place[] {
  const key = JSON.stringify(sources);
  const known = kept.places.get(key);
  if (known !== undefined) return known;
  const own = { left: Math.min(budget.left, explorationSteps) };
  const before = own.left;
  let places: readonly Place[] = [];
  try {
    places = exploreTexts(conditions, own);
  } finally {
    budget.left -= before - own.left;
    // What a smaller budget did not reach is looked for again.
    if (own.left > 0 || before === explorationSteps) keep(key, places);
  }
  return places;
}

function keep(key: string, places: readonly Place[]): void {
  const size = places.reduce((sum, { edges }) => sum + 1 + edges.length, key.length / 16);
  if (kept.size + size > mostKept) {
    kept.places.clear();
    kept.size = 0;
  }
  kept.places.set(key, places);
  kept.size += size;
}

/** The conditions of all patterns, undefined where one of them has none or counts characters differently. */
function conditionsOfAll(patterns: readonly Pattern[]): readonly Condition[] | undefined {
  const conditions = patterns.map(({ conditions: own, unicode }) => (unicode ? own : undefined));
  return conditions.every((own) => own !== undefined) ? conditions.flat() : undefined;
}

interface Way extends Pick<Lengths, "ends"> {
  readonly places: readonly Place[];
}

function followed(places: readonly Place[], wish: PatternWish, budget: Budget): string | undefined {
  const { ends, lengths } = lengthsOf(places, wish, budget);
  const random = wish.random ?? (wish.vary > 0 ? createRandom(`text ${wish.vary}`) : undefined);
  const [shortest] = lengths;
  if (shortest === undefined) return undefined;
  return spell({ places, ends }, random?.pick(lengths) ?? shortest, random);
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

function walked(
  patterns: readonly Pattern[],
  wish: PatternWish,
  budget: Budget,
): string | undefined {
  const leading = patterns.find(({ conditions }) => conditions === undefined) ?? patterns[0];
  if (leading?.node === undefined) return undefined;
  const random = wish.random ?? createRandom(`walk ${wish.vary}`);
  const letters = new Map<Charset, readonly number[]>();
  for (let walk = 0; walk < mostWalks; walk++) {
    const text = walkPattern(leading.node, { random, more: walk % 10, budget, letters });
    const length = Array.from(text).length;
    const fits = length >= wish.min && length <= wish.max;
    if (fits && patterns.every(({ test }) => test(text, budget))) return text;
  }
  return undefined;
}
