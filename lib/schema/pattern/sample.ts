import { spend } from "../budget.ts";
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
    const key = JSON.stringify([sources, wish.min, wish.max]);
    const way = kept.ways.get(key) ?? wayOf(conditions, wish, own);
    // What a smaller budget did not reach is looked for again.
    if (before === mostSteps && !kept.ways.has(key)) keep(key, way);
    return followed(way, wish, own);
  } catch {
    // No regular expression, or too much work.
    return undefined;
  } finally {
    budget.left -= before - own.left;
  }
}

/** How much is kept of the ways to texts, for the next text of the same patterns and lengths. */
const mostKept = 200_000;
const kept = { ways: new Map<string, Way>(), size: 0 };

function wayOf(conditions: readonly Condition[], wish: PatternWish, own: Budget): Way {
  const exploring = { left: Math.min(own.left, explorationSteps) };
  const before = exploring.left;
  try {
    const places = exploreTexts(conditions, exploring);
    return { places, ...lengthsOf(places, wish, own) };
  } finally {
    own.left -= before - exploring.left;
  }
}

function keep(key: string, way: Way): void {
  const { places, ends } = way;
  const edges = places.reduce((sum, place) => sum + 1 + place.edges.length, key.length / 16);
  const size = edges + (ends.length * places.length) / 16;
  if (kept.size + size > mostKept) {
    kept.ways.clear();
    kept.size = 0;
  }
  kept.ways.set(key, way);
  kept.size += size;
}

/** The conditions of all patterns, undefined where one of them has none or counts characters differently. */
function conditionsOfAll(patterns: readonly Pattern[]): readonly Condition[] | undefined {
  const conditions = patterns.map(({ conditions: own, unicode }) => (unicode ? own : undefined));
  return conditions.every((own) => own !== undefined) ? conditions.flat() : undefined;
}

interface Way extends Lengths {
  readonly places: readonly Place[];
}

function followed(way: Way, wish: PatternWish, budget: Budget): string | undefined {
  const random = wish.random ?? (wish.vary > 0 ? createRandom(`text ${wish.vary}`) : undefined);
  const [shortest] = way.lengths;
  if (shortest === undefined) return undefined;
  return spell(way, random?.pick(way.lengths) ?? shortest, { random, budget });
}

function spell(
  { places, ends }: Way,
  length: number,
  { random, budget }: { readonly random: Random | undefined; readonly budget: Budget },
): string | undefined {
  const used = new Map<Letters, number>();
  let [place] = places;
  let text = "";
  for (let left = length - 1; left >= 0 && place !== undefined; left--) {
    spend(budget, spellSteps);
    const marks = ends[left];
    const edges = place.edges.filter(({ to }) => marks?.[to.number] === 1);
    const edge = random === undefined ? edges[0] : pickWeighted(edges, random);
    if (edge === undefined) return undefined;
    const { letters } = edge;
    const count = used.get(letters) ?? 0;
    used.set(letters, count + 1);
    const usual = Math.min(letters.length, mostLetters);
    const letter = letters[random?.integer(0, usual - 1) ?? count % usual] ?? letters[0];
    text += String.fromCodePoint(letter);
    place = edge.to;
  }
  return text;
}

/** Steps for one character. */
const spellSteps = 30;

/** Letters of a group that are used: those behind them are rarely readable. */
const mostLetters = 62;

/** Answers one of the edges: a group of many letters comes more often, up to eight times. */
function pickWeighted(edges: Place["edges"], random: Random): Place["edges"][number] | undefined {
  const weights = edges.map(({ letters }) => Math.min(8, letters.length));
  let at = random.integer(0, weights.reduce((sum, weight) => sum + weight, 0) - 1);
  return edges.find((_, index) => (at -= weights[index] ?? 0) < 0);
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
