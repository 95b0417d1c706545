import { automatonOf } from "./automaton.ts";
import type { Automaton } from "./automaton.ts";
import { nfaOf } from "./nfa.ts";
import type { Node } from "./syntax.ts";

/** A text must be found by the automaton, or must not. */
export interface Condition {
  readonly automaton: Automaton;
  readonly negative: boolean;
  /** The expression that the automaton was made of. */
  readonly node: Node;
}

/**
 * Answers an expression as conditions that must all hold, each linear in the text. A look ahead right after the start, and one behind right
 * before the end, are conditions of their own. Undefined where the expression is not of that kind.
 */
export function conditionsOf(node: Node): readonly Condition[] | undefined {
  const conditions: Condition[] = [];
  for (const { expression, negative } of split(node)) {
    const nfa = nfaOf(expression);
    if (nfa === undefined) return undefined;
    conditions.push({ automaton: automatonOf(nfa), negative, node: expression });
  }
  return conditions;
}

interface Part {
  readonly expression: Node;
  readonly negative: boolean;
}

const start: Node = { kind: "assertion", what: "start" };
const end: Node = { kind: "assertion", what: "end" };

function split(node: Node): Part[] {
  if (node.kind !== "sequence") return [{ expression: node, negative: false }];
  const parts = [...node.parts];
  const extra: Part[] = [];
  if (isAssertion(parts[0], "start")) {
    for (let next = parts[1]; next?.kind === "look" && next.ahead; next = parts[1]) {
      extra.push({
        expression: { kind: "sequence", parts: [start, next.node] },
        negative: next.negative,
      });
      parts.splice(1, 1);
    }
  }
  if (isAssertion(parts.at(-1), "end")) {
    for (let last = parts.at(-2); last?.kind === "look" && !last.ahead; last = parts.at(-2)) {
      extra.push({
        expression: { kind: "sequence", parts: [last.node, end] },
        negative: last.negative,
      });
      parts.splice(-2, 1);
    }
  }
  return [{ expression: { kind: "sequence", parts }, negative: false }, ...extra];
}

function isAssertion(node: Node | undefined, what: "start" | "end"): boolean {
  return node?.kind === "assertion" && node.what === what;
}
