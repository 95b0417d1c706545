import type { Random } from "../random.ts";

/** What a text must be like besides matching. */
export interface PatternWish {
  readonly min: number;
  readonly max: number;
  readonly vary: number;
  readonly random: Random | undefined;
}

/** Answers a text in which all patterns are found, within the lengths. Undefined where none was found. */
export function patternSample(
  _patterns: readonly string[],
  _wish: PatternWish,
): string | undefined {
  return undefined;
}
