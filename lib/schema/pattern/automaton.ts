import { spend } from "../budget.ts";
import type { Budget } from "../budget.ts";
import { has, isWordCharacter } from "./charset.ts";
import type { Nfa } from "./nfa.ts";

/** What stands before a place in a text, or after it. */
export type Surrounding = "edge" | "word" | "other";

/** All states that an expression can be in after some text: one look at each character is enough. */
export interface Position {
  /** A match was found already; the rest of the text is of no matter. */
  readonly found: boolean;
  readonly states: readonly number[];
  readonly before: Surrounding;
  readonly next: Map<number, Position>;
  /** Whether a match ends with the text, once that was asked. */
  atEnd?: boolean;
}

/** An expression that reads a text once, character by character, wherever in it the match begins. */
export interface Automaton {
  readonly start: Position;
  /** Answers the position after one more character. */
  step(this: void, position: Position, character: number, budget: Budget): Position;
  /** Answers whether a match ends with the text or before. */
  ends(this: void, position: Position): boolean;
}

/** Positions that are remembered; beyond it, remembering begins anew. */
const mostPositions = 2000;

/** Steps for each state of a position that is met for the first time. */
const newStateSteps = 32;

/** Answers the automaton of an expression's states. Positions are made when a text first reaches them. */
export function automatonOf(nfa: Nfa): Automaton {
  let known = new Map<string, Position>();
  const found: Position = { found: true, states: [], before: "other", next: new Map() };
  const start: Position = { found: false, states: [nfa.start], before: "edge", next: new Map() };

  const remembered = (states: readonly number[], before: Surrounding): Position => {
    const key = `${before}${states.join()}`;
    const position = known.get(key) ?? { found: false, states, before, next: new Map() };
    known.set(key, position);
    return position;
  };

  const step = (position: Position, character: number, budget: Budget): Position => {
    if (position.found) return position;
    const seen = position.next.get(character);
    if (seen !== undefined) return seen;
    const after = isWordCharacter(character) ? "word" : "other";
    const reached = closure(nfa, position, after);
    spend(budget, reached.size * newStateSteps);
    if (known.size >= mostPositions) known = new Map();
    const next = reached.has(0) ? found : remembered(read(nfa, reached, character), after);
    if (position.next.size < mostPositions) position.next.set(character, next);
    return next;
  };

  const ends = (position: Position): boolean =>
    (position.atEnd ??= position.found || closure(nfa, position, "edge").has(0));

  return { start, step, ends };
}

/** The states that are reached without reading a character. */
function closure({ states }: Nfa, position: Position, after: Surrounding): Set<number> {
  const reached = new Set<number>(position.states);
  // A set may grow while it is walked.
  for (const number of reached) {
    const state = states[number];
    if (state?.kind === "fork") for (const to of state.to) reached.add(to);
    if (state?.kind === "assertion" && holds(state.what, position.before, after))
      reached.add(state.to);
  }
  return reached;
}

function holds(
  what: "start" | "end" | "boundary" | "inside",
  before: Surrounding,
  after: Surrounding,
): boolean {
  if (what === "start") return before === "edge";
  if (what === "end") return after === "edge";
  const isBoundary = (before === "word") !== (after === "word");
  return isBoundary === (what === "boundary");
}

function read({ states, start }: Nfa, reached: ReadonlySet<number>, character: number): number[] {
  // A match may begin anywhere.
  const next = new Set([start]);
  for (const number of reached) {
    const state = states[number];
    if (state?.kind === "set" && has(state.set, character)) next.add(state.to);
  }
  return [...next].sort((a, b) => a - b);
}
