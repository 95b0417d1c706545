import type { Operation } from "../../lib/compiled/compiled.ts";
import { matchMixed, parseSegment, rawPlaces } from "./segment.ts";

/** A tree of path templates, one level a segment. */
export interface Trie {
  readonly literals: Map<string, Trie>;
  /** The more literal characters, the earlier; the same shape is one branch, whatever its variables are called. */
  readonly mixed: { readonly literals: readonly string[]; readonly next: Trie }[];
  template?: Trie;
  /** By method: the operations of the path that ends here. */
  readonly leaves: Map<string, Leaf>;
}

/** An operation, with the names of the variables on the way to it; "" for one of a server. */
export interface Leaf {
  readonly operation: Operation;
  readonly names: readonly string[];
}

/** One segment of a request's path, raw and decoded. */
export interface RequestSegment {
  readonly raw: string;
  readonly text: string;
}

/** Answers an empty tree. */
export function createTrie(): Trie {
  return { literals: new Map(), mixed: [], leaves: new Map() };
}

/** Adds an operation under a path template. The first of a path and method stays. */
export function addPath(trie: Trie, path: string, operation: Operation): void {
  const names: string[] = [];
  let node = trie;
  for (const written of path.slice(1).split("/")) {
    const segment = parseSegment(written);
    if (segment.kind === "literal") {
      node = node.literals.get(segment.text) ?? branch(node, segment.text);
    } else if (segment.kind === "template") {
      names.push(segment.name);
      node = node.template ??= createTrie();
    } else {
      names.push(...segment.names);
      node = mixedBranch(node, segment.literals);
    }
  }
  if (!node.leaves.has(operation.method)) node.leaves.set(operation.method, { operation, names });
}

function branch(node: Trie, text: string): Trie {
  const next = createTrie();
  node.literals.set(text, next);
  return next;
}

function mixedBranch(node: Trie, literals: readonly string[]): Trie {
  const key = literals.join("\0");
  const known = node.mixed.find((one) => one.literals.join("\0") === key);
  if (known !== undefined) return known.next;
  const next = createTrie();
  node.mixed.push({ literals, next });
  node.mixed.sort((a, b) => {
    const [left, right] = [a.literals.join("\0"), b.literals.join("\0")];
    return weight(b.literals) - weight(a.literals) || (left < right ? -1 : 1);
  });
  return next;
}

function weight(literals: readonly string[]): number {
  return literals.join("").length;
}

/**
 * Visits the ends of all paths that match, best first (literal before mixed before template, from the left), until `visit`
 * answers something; answers that. `values` are the raw texts of the variables, only valid during the visit.
 * Each node is looked at once at most: no path takes longer than the tree is large.
 */
export function walk<Found>(
  trie: Trie,
  segments: readonly RequestSegment[],
  visit: (leaves: ReadonlyMap<string, Leaf>, values: readonly string[]) => Found | undefined,
): Found | undefined {
  const values: string[] = [];
  const step = (node: Trie, depth: number): Found | undefined => {
    const segment = segments[depth];
    if (segment === undefined) {
      return node.leaves.size === 0 ? undefined : visit(node.leaves, values);
    }
    const literal = node.literals.get(segment.text);
    const found = literal === undefined ? undefined : step(literal, depth + 1);
    if (found !== undefined) return found;
    const kept = values.length;
    for (const { literals, next } of node.mixed) {
      const spans = matchMixed(literals, segment.text);
      if (spans === undefined) continue;
      values.push(...rawValues(segment, spans));
      const below = step(next, depth + 1);
      if (below !== undefined) return below;
      values.length = kept;
    }
    // A template never matches an empty segment: `/f/` is not `/f/{id}`.
    if (node.template === undefined || segment.text === "") return undefined;
    values.push(segment.raw);
    const below = step(node.template, depth + 1);
    values.length = kept;
    return below;
  };
  return step(trie, 0);
}

function rawValues(
  { raw, text }: RequestSegment,
  spans: readonly (readonly [number, number])[],
): string[] {
  if (raw === text) return spans.map(([start, end]) => raw.slice(start, end));
  const places = rawPlaces(raw);
  return spans.map(([start, end]) => raw.slice(places[start], places[end]));
}
