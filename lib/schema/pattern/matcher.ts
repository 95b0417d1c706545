import { spend, TooComplex } from "../budget.ts";
import type { Budget } from "../budget.ts";
import type { Condition } from "./conditions.ts";
import { conditionsOf } from "./conditions.ts";
import { nodesOf, stepsFor } from "./cost.ts";
import { parsePattern } from "./parse.ts";
import type { Node } from "./syntax.ts";

/** A regular expression of a schema, ready to be tried. */
export interface Pattern {
  readonly source: string;
  /** The tree of the expression, undefined where it is nested too deeply to be read. */
  readonly node: Node | undefined;
  /** What a text must fulfil, each in linear time; undefined where the platform's engine has to be used. */
  readonly conditions: readonly Condition[] | undefined;
  /** Whether characters are code points (the `u` flag), else code units. */
  readonly unicode: boolean;
  /** Answers whether the pattern is found in the text; throws TooComplex where that takes more steps than the budget has. */
  test(this: void, text: string, budget: Budget): boolean;
}

/** Patterns that are kept ready. */
const mostPatterns = 1000;
const ready = new Map<string, Pattern>();

/** Steps that the platform's engine, which may backtrack, is trusted with. */
const mostSteps = 5_000_000;

/** Nodes of an expression that the platform's engine is given, which reads them all before the first character. */
const mostNodes = 50_000;

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
  const known = ready.get(source);
  if (known !== undefined) return known;
  const pattern = prepare(source);
  if (ready.size >= mostPatterns) ready.clear();
  ready.set(source, pattern);
  return pattern;
}

/** Answers whether the pattern is found in the text; false where it is no regular expression, or takes too many steps (one million, or what a budget has). */
export function patternMatches(
  source: string,
  text: string,
  budget: Budget = { left: 1_000_000 },
): boolean {
  try {
    return compilePattern(source).test(text, budget);
  } catch {
    return false;
  }
}

function prepare(source: string): Pattern {
  const expression = expressionOf(source);
  const { unicode } = expression;
  const node = treeOf(source, unicode);
  const conditions = node === undefined ? undefined : conditionsOf(node);
  const nodes = node === undefined || conditions !== undefined ? 0 : nodesOf(node);
  const test = (text: string, budget: Budget): boolean => {
    spend(budget, 1 + text.length / 8);
    if (conditions !== undefined)
      return conditions.every((condition) => holds(condition, { text, unicode, budget }));
    spend(budget, nodes);
    const steps =
      node === undefined || nodes > mostNodes
        ? Number.POSITIVE_INFINITY
        : stepsFor(node, text.length);
    if (steps > mostSteps)
      throw new TooComplex(`takes too many steps to check against the pattern ${source}`);
    spend(budget, steps / 8);
    return expression.test(text);
  };
  return { source, node, conditions, unicode, test };
}

interface Reading {
  readonly text: string;
  readonly unicode: boolean;
  readonly budget: Budget;
}

function holds({ automaton, negative }: Condition, { text, unicode, budget }: Reading): boolean {
  let position = automaton.start;
  for (let at = 0; at < text.length && !position.found; at++) {
    const character = unicode ? (text.codePointAt(at) ?? 0) : text.charCodeAt(at);
    if (character > 0xffff) at += 1;
    position = automaton.step(position, character, budget);
  }
  return automaton.ends(position) !== negative;
}

/** A tree, unless the expression is nested so deeply that reading it exhausts the stack. */
function treeOf(source: string, unicode: boolean): Node | undefined {
  try {
    return parsePattern(source, unicode);
  } catch {
    return undefined;
  }
}

function expressionOf(source: string): RegExp {
  try {
    return new RegExp(source, "u");
  } catch {
    return new RegExp(source);
  }
}
