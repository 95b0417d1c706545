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

/** States of remembered positions, and ways between them; beyond it, remembering begins anew. */
const mostKept = 50_000;

/** Steps for each state of a position that is met for the first time. */
const newStateSteps = 8;

/** Answers the automaton of an expression's states. Positions are made when a text first reaches them. */
export function automatonOf(nfa: Nfa): Automaton {
  const known = new Map<string, Position>();
  let kept = 0;
  const found: Position = { found: true, states: [], before: "other", next: new Map() };
  const start: Position = { found: false, states: [nfa.start], before: "edge", next: new Map() };

  const remembered = (states: readonly number[], before: Surrounding): Position => {
    // There are fewer states than code units.
    const key = before + String.fromCharCode(...states);
    const same = known.get(key);
    if (same !== undefined) return same;
    const position: Position = { found: false, states, before, next: new Map() };
    known.set(key, position);
    kept += states.length;
    return position;
  };

  const step = (position: Position, character: number, budget: Budget): Position => {
    if (position.found) return position;
    const seen = position.next.get(character);
    if (seen !== undefined) return seen;
    const after = isWordCharacter(character) ? "word" : "other";
    const reached = closure(nfa, position, after);
    spend(budget, 8 + reached.length * newStateSteps);
    if (kept >= mostKept) {
      known.clear();
      // All positions are reached from the first one.
      start.next.clear();
      kept = 0;
    }
    const next = reached.includes(0) ? found : remembered(read(nfa, reached, character), after);
    position.next.set(character, next);
    kept += 1;
    return next;
  };

  const ends = (position: Position): boolean =>
    (position.atEnd ??= position.found || closure(nfa, position, "edge").includes(0));

  return { start, step, ends };
}

/** The states that are reached without reading a character. */
function closure({ states }: Nfa, position: Position, after: Surrounding): readonly number[] {
  const reached = [...position.states];
  const seen = new Uint8Array(states.length);
  for (const number of reached) seen[number] = 1;
  const add = (number: number): void => {
    if (seen[number] === 1) return;
    seen[number] = 1;
    reached.push(number);
  };
  // A list may grow while it is walked.
  for (const number of reached) {
    const state = states[number];
    if (state?.kind === "fork") for (const to of state.to) add(to);
    if (state?.kind === "assertion" && holds(state.what, position.before, after)) add(state.to);
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

function read({ states, start }: Nfa, reached: readonly number[], character: number): number[] {
  // A match may begin anywhere.
  const next = [start];
  const seen = new Uint8Array(states.length);
  seen[start] = 1;
  for (const number of reached) {
    const state = states[number];
    if (state?.kind !== "set" || seen[state.to] === 1 || !has(state.set, character)) continue;
    seen[state.to] = 1;
    next.push(state.to);
  }
  return next.sort((a, b) => a - b);
}
