import type { Charset } from "./charset.ts";
import type { Node } from "./syntax.ts";

/** A state: reads a character, goes on without one, asks about its surroundings, or is the end. */
export type State =
  | { readonly kind: "set"; readonly set: Charset; readonly to: number }
  | { readonly kind: "fork"; readonly to: readonly number[] }
  | { readonly kind: "assertion"; readonly what: "start" | "end" | "boundary" | "inside"; readonly to: number }
  | { readonly kind: "end" }; // oxfmt-ignore

/** States by number, and where to begin. */
export interface Nfa {
  readonly states: readonly State[];
  readonly start: number;
}

/** States that an expression may have: `{1,1000}` has a thousand of each. */
const mostStates = 4000;

/** Nodes that are looked at: a repetition looks at what it repeats once a round, also where that has no states. */
const mostLooks = 20_000;

interface Building {
  readonly states: State[];
  left: number;
}

/**
 * Answers the states of an expression (Thompson's construction). Undefined where it is not regular (references, a look around in the
 * middle, flags inside) or has too many states.
 */
export function nfaOf(node: Node): Nfa | undefined {
  const states: State[] = [{ kind: "end" }];
  const start = add({ states, left: mostLooks }, node, 0);
  return start === undefined ? undefined : { states, start };
}

/** Adds the states of a node that goes on to another state; answers the first of them. */
function add(building: Building, node: Node, to: number): number | undefined {
  const { states } = building;
  building.left -= 1;
  if (states.length > mostStates || building.left < 0) return undefined;
  switch (node.kind) {
    case "set":
      return states.push({ kind: "set", set: node.set, to }) - 1;
    case "assertion":
      return states.push({ kind: "assertion", what: node.what, to }) - 1;
    case "group":
      return add(building, node.node, to);
    case "sequence":
      return node.parts.reduceRight<number | undefined>(
        (next, part) => (next === undefined ? undefined : add(building, part, next)),
        to,
      );
    case "choice":
      return addFork(
        states,
        node.options.map((option) => add(building, option, to)),
      );
    case "repeat":
      return addRepeat(building, node, to);
    case "look":
    case "reference":
    case "flagged":
    default:
      return undefined;
  }
}

function addFork(states: State[], to: readonly (number | undefined)[]): number | undefined {
  const known = to.filter((state) => state !== undefined);
  return known.length < to.length ? undefined : states.push({ kind: "fork", to: known }) - 1;
}

function addRepeat(
  building: Building,
  { node, min, max }: Extract<Node, { kind: "repeat" }>,
  to: number,
): number | undefined {
  const { states } = building;
  let next: number | undefined = to;
  if (max === Number.POSITIVE_INFINITY) {
    // The fork is known before what it leads to, because that leads back to it.
    const ways: number[] = [to];
    next = states.push({ kind: "fork", to: ways }) - 1;
    const body = add(building, node, next);
    if (body === undefined) return undefined;
    ways.push(body);
  }
  const optional = max === Number.POSITIVE_INFINITY ? 0 : max - min;
  for (let index = 0; index < optional + min && next !== undefined; index++) {
    const body = add(building, node, next);
    next = index < optional ? addFork(states, [body, to]) : body;
  }
  return next;
}
