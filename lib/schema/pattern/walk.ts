import type { Random } from "../random.ts";
import { lettersOfSet } from "./letters.ts";
import type { Node } from "./syntax.ts";

/** Characters of the longest text that is written. */
const longest = 10_000;

/**
 * Writes a text along an expression, without regard to assertions and looks around: likely a match, not surely. `more` is how many rounds a
 * repetition takes at most beyond those that it must.
 */
export function walkPattern(node: Node, random: Random, more: number): string {
  const walk: Walk = { random, more, groups: new Map(), length: 0 };
  return write(walk, node);
}

interface Walk {
  readonly random: Random;
  readonly more: number;
  /** What each group has last matched, by name and number. */
  readonly groups: Map<string, string>;
  length: number;
}

function write(walk: Walk, node: Node): string {
  if (walk.length > longest) return "";
  switch (node.kind) {
    case "set":
      walk.length += 1;
      return String.fromCodePoint(walk.random.pick(lettersOfSet(node.set).slice(0, 62)));
    case "sequence":
      return node.parts.map((part) => write(walk, part)).join("");
    case "choice":
      return write(walk, walk.random.pick(node.options));
    case "repeat": {
      const rounds = walk.random.integer(node.min, Math.min(node.max, node.min + walk.more));
      return Array.from({ length: Math.min(rounds, longest) }, () => write(walk, node.node)).join(
        "",
      );
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
