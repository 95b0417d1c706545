import { spend, TooComplex } from "../budget.ts";
import type { Budget } from "../budget.ts";
import type { Random } from "../random.ts";
import { lettersOfSet } from "./letters.ts";
import type { Charset } from "./charset.ts";
import type { Node } from "./syntax.ts";

/** Characters of the longest text that is written. */
const longest = 10_000;

/** How a text is written. */
export interface Steps {
  readonly random: Random;
  /** Rounds that a repetition takes at most beyond those that it must. */
  readonly more: number;
  readonly budget: Budget;
  /** What is known of the sets, kept from one text to the next. */
  readonly letters: Map<Charset, readonly number[]>;
}

/**
 * Writes a text along an expression, without regard to assertions and looks around: likely a match, not surely. Throws
 * TooComplex where the budget is too small, or no text is short enough.
 */
export function walkPattern(node: Node, steps: Steps): string {
  return write({ ...steps, groups: new Map(), length: 0 }, node);
}

interface Walk extends Steps {
  /** What each group has last matched, by name and number. */
  readonly groups: Map<string, string>;
  length: number;
}

function write(walk: Walk, node: Node): string {
  spend(walk.budget, 4);
  if (walk.length > longest) throw new TooComplex("is too long");
  switch (node.kind) {
    case "set":
      walk.length += 1;
      return String.fromCodePoint(walk.random.pick(lettersFor(walk, node.set)));
    case "sequence":
      return node.parts.map((part) => write(walk, part)).join("");
    case "choice":
      return write(walk, walk.random.pick(node.options));
    case "repeat": {
      const rounds = walk.random.integer(node.min, Math.min(node.max, node.min + walk.more));
      let text = "";
      for (let round = 0; round < rounds; round++) text += write(walk, node.node);
      return text;
    }
    case "group": {
      const text = write(walk, node.node);
      walk.groups.set(node.name, text);
      return text;
    }
    case "flagged":
      return write(walk, node.node);
    case "reference":
      return walk.groups.get(node.name) ?? "";
    case "assertion":
    case "look":
    default:
      return "";
  }
}

function lettersFor({ letters, budget }: Walk, set: Charset): readonly number[] {
  const known = letters.get(set) ?? lettersOfSet(set, budget).slice(0, 62);
  letters.set(set, known);
  return known;
}
