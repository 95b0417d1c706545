import type { Budget } from "./budget.ts";
import { atLeast, atMost, textsOf } from "./facets.ts";
import type { Facets } from "./facets.ts";
import { formatSample } from "./format-samples.ts";
import { foresee, nothing, randomAt, use } from "./making.ts";
import type { Making, Place } from "./making.ts";
import { textByName } from "./names.ts";
import { patternMatches } from "./pattern/matcher.ts";
import { patternSample } from "./pattern/sample.ts";
import type { Random } from "./random.ts";
import { lengthOf, sized } from "./text.ts";

/** Characters of the longest string that is made; what asks for more is not satisfied. */
const longest = 200_000;

/** What a string must be like. */
interface Wanted {
  readonly min: number;
  readonly max: number;
  readonly patterns: readonly string[];
  readonly formats: readonly string[];
  readonly vary: number;
  readonly name: string;
  readonly random: Random | undefined;
  /** Steps that patterns may still take. */
  readonly budget: Budget;
}

/** Makes a string: by format, by pattern, by the property's name, always within the lengths; `nothing` where no length is left. */
export function makeString(making: Making, place: Place, way: Facets): unknown {
  const wanted: Wanted = {
    min: Math.min(longest, atLeast(way, "minLength", 0)),
    max: atMost(way, "maxLength"),
    patterns: textsOf(way, "pattern"),
    formats: [...textsOf(way, "format"), ...textsOf(way, "contentEncoding").map(formatOfEncoding)],
    vary: place.vary,
    name: place.name,
    random: randomAt(making, place),
    budget: making.patterns,
  };
  if (wanted.min > wanted.max) return nothing;
  foresee(making, 1, wanted.min);
  const value = bySpecial(wanted) ?? plain(wanted);
  use(making, value.length);
  return value;
}

function bySpecial(wanted: Wanted): string | undefined {
  const { patterns, formats, name } = wanted;
  const samples = formats.flatMap((format) => formatSample(format, wanted) ?? []);
  if (patterns.length === 0 || wanted.budget.left <= 0) return samples[0];
  // A readable value that happens to match is better than one made from the pattern alone.
  const known = [...samples, textByName(name, wanted.random), sized("string", wanted)];
  const fitting = known.find((text) => text !== undefined && fits(text, wanted));
  return (
    (wanted.vary === 0 ? fitting : undefined) ??
    patternSample(patterns, wanted, wanted.budget) ??
    fitting ??
    samples[0]
  );
}

function fits(text: string, { patterns, min, max, budget }: Wanted): boolean {
  const length = lengthOf(text);
  return (
    length >= min &&
    length <= max &&
    patterns.every((pattern) => patternMatches(pattern, text, budget))
  );
}

function plain({ formats, name, random, ...lengths }: Wanted): string {
  const word = formats
    .map((format) => textByName(format, random))
    .find((text) => text !== undefined);
  const text = word ?? textByName(name, random) ?? random?.pick(words) ?? "string";
  return sized(text, lengths);
}

function formatOfEncoding(encoding: string): string {
  return encoding === "base64" ? "byte" : encoding;
}

const words = ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "harbor", "iris", "juniper", "kelp", "lagoon", "meadow", "nectar", "orchid", "pebble", "quartz", "river", "sage", "tundra"]; // oxfmt-ignore
