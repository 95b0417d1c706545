import { formatRange } from "./formats.ts";
import { numbersOf, textsOf } from "./facets.ts";
import type { Facets } from "./facets.ts";
import { nothing, randomAt } from "./making.ts";
import type { Making, Place } from "./making.ts";
import { numberByName } from "./names.ts";
import type { UsualNumber } from "./names.ts";
import { decimal, sameScale } from "./numbers.ts";

/** Bounds of a number, with the numbers that they exclude. */
interface Bounds {
  readonly low: number;
  readonly high: number;
  readonly above: number;
  readonly below: number;
}

/** The multiples of a step: `step` counts units of ten to the power of minus `scale`. */
interface Step {
  readonly step: bigint;
  readonly scale: number;
}

/** Which multiples lie within bounds; undefined where that side is open. */
interface Multiples extends Step {
  readonly first: bigint | undefined;
  readonly last: bigint | undefined;
}

/** Multiples that a seed chooses from where a side is open. */
const span = 1000n;

/** Makes a number that fits all bounds and divisors, reckoned in decimal; `nothing` where there is none. */
export function makeNumber(making: Making, place: Place, way: Facets): unknown {
  const ranges = textsOf(way, "format").flatMap((name) => formatRange(name) ?? []);
  const whole = way.type === "integer" || ranges.some((range) => range.whole);
  const said = boundsOf(way);
  const bounds: Bounds = {
    ...said,
    low: Math.max(said.low, ...ranges.map((range) => range.low)),
    high: Math.min(said.high, ...ranges.map((range) => range.high)),
  };
  const divisors = [...numbersOf(way, "multipleOf"), ...(whole ? [1] : [])];
  const pick = (steps: readonly number[]): unknown => {
    const multiples = within(bounds, stepOf(steps));
    return multiples === undefined ? nothing : picked(making, place, { multiples, said });
  };
  if (divisors.length > 0) return pick(divisors);
  // Whole numbers read best; where the bounds have none, finer ones until there is room.
  const usual = decimal(usualOf(place).value).scale;
  const first = making.seed === undefined && place.vary === 0 ? usual : 2;
  for (const digits of [first, 2, 4, 8, 12, 16]) {
    const value = pick([Number(`1e-${digits}`)]);
    if (value !== nothing) return value;
  }
  return between(bounds);
}

function boundsOf(way: Facets): Bounds {
  return {
    low: Math.max(Number.NEGATIVE_INFINITY, ...numbersOf(way, "minimum")),
    high: Math.min(Number.POSITIVE_INFINITY, ...numbersOf(way, "maximum")),
    above: Math.max(Number.NEGATIVE_INFINITY, ...numbersOf(way, "exclusiveMinimum")),
    below: Math.min(Number.POSITIVE_INFINITY, ...numbersOf(way, "exclusiveMaximum")),
  };
}

function stepOf(divisors: readonly number[]): Step {
  const decimals = divisors.map(decimal);
  const scale = Math.max(...decimals.map((divisor) => divisor.scale));
  const steps = decimals.map((divisor) => divisor.digits * 10n ** BigInt(scale - divisor.scale));
  return { step: steps.reduce(commonMultiple), scale };
}

function commonMultiple(a: bigint, b: bigint): bigint {
  let [large, small] = [a, b];
  while (small !== 0n) [large, small] = [small, large % small];
  return (a / large) * b;
}

function within({ low, high, above, below }: Bounds, step: Step): Multiples | undefined {
  const first = largest(quotient(low, step, "up"), next(quotient(above, step, "down"), 1n));
  const last = smallest(quotient(high, step, "down"), next(quotient(below, step, "up"), -1n));
  if (first !== undefined && last !== undefined && first > last) return undefined;
  return { ...step, first, last };
}

function quotient(bound: number, { step, scale }: Step, round: "up" | "down"): bigint | undefined {
  if (!Number.isFinite(bound)) return undefined;
  const [dividend, divisor] = sameScale(decimal(bound), { digits: step, scale });
  const down = dividend / divisor - (dividend % divisor < 0n ? 1n : 0n);
  return round === "up" && dividend % divisor !== 0n ? down + 1n : down;
}

function next(value: bigint | undefined, by: bigint): bigint | undefined {
  return value === undefined ? undefined : value + by;
}

function largest(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a;
}

function smallest(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a;
}

function usualOf(place: Place): UsualNumber {
  return numberByName(place.name) ?? { value: 1, low: 0, high: 1000 };
}

interface Choice {
  readonly multiples: Multiples;
  /** The schema's own bounds: those of a format are no reason for a large number. */
  readonly said: Bounds;
}

function picked(making: Making, place: Place, { multiples, said }: Choice): number {
  const { step, scale, first, last } = multiples;
  const random = randomAt(making, { ...place, vary: 0 });
  const usual = usualOf(place);
  const vary = BigInt(place.vary);
  const free = within(
    { ...said, low: Math.max(said.low, usual.low), high: Math.min(said.high, usual.high) },
    multiples,
  );
  let index = clamp(quotient(usual.value, multiples, "up") ?? 1n, multiples);
  if (random !== undefined) {
    const low = clamp(largest(free?.first, first) ?? (last ?? span) - span, multiples);
    const high = clamp(smallest(free?.last, last) ?? low + span, multiples);
    const room = high < low ? 0n : high - low;
    index = low + BigInt(Math.floor(random.next() * Number(room + 1n)));
  }
  index = turned(clamp(index, multiples), vary, multiples);
  return Number(`${index * step}e${-scale}`);
}

function clamp(index: bigint, { first, last }: Multiples): bigint {
  if (first !== undefined && index < first) return first;
  return last !== undefined && index > last ? last : index;
}

/** Another multiple, for each number another one as long as there are enough. */
function turned(index: bigint, by: bigint, { first, last }: Multiples): bigint {
  if (last === undefined) return index + by;
  if (first === undefined) return index + by > last ? index - (index + by - last) : index + by;
  return first + ((index - first + by) % (last - first + 1n));
}

function between({ low, high, above, below }: Bounds): unknown {
  const floor = Math.max(low, above);
  const ceiling = Math.min(high, below);
  const candidates = [floor, ceiling, floor + (ceiling - floor) / 2, floor / 2 + ceiling / 2];
  const value = candidates.find(
    (candidate) =>
      Number.isFinite(candidate) &&
      candidate >= low &&
      candidate <= high &&
      candidate > above &&
      candidate < below,
  );
  return value ?? nothing;
}
