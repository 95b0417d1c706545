import type { Node } from "./syntax.ts";

/** How a backtracking engine may fare: in how many ways a part can match at one place, and how many steps all of them take. */
interface Effort {
  readonly ways: number;
  readonly steps: number;
}

/** Answers at most how many steps a backtracking engine needs for a text of that length. Never too low, often far too high. */
export function stepsFor(node: Node, length: number): number {
  const anchored =
    node.kind === "sequence" &&
    node.parts[0]?.kind === "assertion" &&
    node.parts[0].what === "start";
  return effortOf(node, length).steps * (anchored ? 1 : length + 1);
}

/** Answers the number of nodes of an expression as it is written. */
export function nodesOf(node: Node): number {
  if (node.kind === "sequence") return node.parts.reduce((sum, part) => sum + nodesOf(part), 1);
  if (node.kind === "choice") return node.options.reduce((sum, option) => sum + nodesOf(option), 1);
  return "node" in node ? 1 + nodesOf(node.node) : 1;
}

function effortOf(node: Node, length: number): Effort {
  switch (node.kind) {
    case "set":
    case "assertion":
      return { ways: 1, steps: 1 };
    case "reference":
      return { ways: 1, steps: length + 1 };
    case "group":
    case "flagged":
      return effortOf(node.node, length);
    case "look":
      // What was found inside a look around is not tried again.
      return { ways: 1, steps: effortOf(node.node, length).steps * (node.ahead ? 1 : length + 1) };
    case "choice":
      return sum(node.options.map((option) => effortOf(option, length)));
    case "sequence":
      return node.parts.map((part) => effortOf(part, length)).reduce(then, { ways: 1, steps: 1 });
    case "repeat":
    default:
      return repeated(effortOf(node.node, length), node, length);
  }
}

function sum(efforts: readonly Effort[]): Effort {
  return efforts.reduce(
    (all, effort) => ({ ways: all.ways + effort.ways, steps: all.steps + effort.steps + 1 }),
    { ways: 0, steps: 0 },
  );
}

function then(first: Effort, second: Effort): Effort {
  return { ways: first.ways * second.ways, steps: first.steps + first.ways * second.steps };
}

function repeated(
  body: Effort,
  { min, max }: { readonly min: number; readonly max: number },
  length: number,
): Effort {
  // A round that reads nothing ends the repetition.
  const rounds = Math.min(max, min + length);
  if (body.ways === 1) return { ways: rounds - min + 1, steps: 1 + rounds * body.steps };
  let all: Effort = { ways: min === 0 ? 1 : 0, steps: 1 };
  let ways = 1;
  for (let round = 1; round <= rounds; round++) {
    const steps = all.steps + ways * body.steps;
    ways *= body.ways;
    all = { ways: all.ways + (round >= min ? ways : 0), steps };
    if (steps > Number.MAX_SAFE_INTEGER)
      return { ways: Number.POSITIVE_INFINITY, steps: Number.POSITIVE_INFINITY };
  }
  return all;
}
