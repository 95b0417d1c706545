import { spend } from "../budget.ts";
import type { Budget } from "../budget.ts";

/** A regular expression of a schema, ready to be tried. */
export interface Pattern {
  readonly source: string;
  /** Answers whether the pattern is found in the text; throws TooComplex where that takes more steps than the budget has. */
  test(text: string, budget: Budget): boolean;
}

/** Answers why a pattern is no regular expression (ECMA-262, with the `u` flag or without), undefined where it is one. */
export function patternFault(source: string): string | undefined {
  try {
    expressionOf(source);
    return undefined;
  } catch {
    return `${JSON.stringify(source)} is not a regular expression`;
  }
}

/** Answers the pattern, ready. Throws a SyntaxError where `patternFault` has something to say. */
export function compilePattern(source: string): Pattern {
  const expression = expressionOf(source);
  return {
    source,
    test(text, budget) {
      spend(budget, text.length);
      return expression.test(text);
    },
  };
}

function expressionOf(source: string): RegExp {
  try {
    return new RegExp(source, "u");
  } catch {
    return new RegExp(source);
  }
}

/** Answers whether the pattern is found in the text; false where it is no regular expression, or takes too many steps. */
export function patternMatches(source: string, text: string): boolean {
  try {
    return compilePattern(source).test(text, { left: 1_000_000 });
  } catch {
    return false;
  }
}
