import { anyButNewline, complement, only, union } from "./charset.ts";
import type { Charset } from "./charset.ts";
import { readEscape, readMember } from "./escape.ts";
import type { Node } from "./syntax.ts";

/** Where in an expression we are. Characters are code points with the `u` flag, else code units. */
export interface Cursor {
  readonly characters: readonly string[];
  readonly unicode: boolean;
  at: number;
  groups: number;
}

/**
 * Answers the tree of a regular expression (ECMA-262, section 22.2.1) that the platform has accepted before; with the `u` flag or, where
 * `unicode` is false, as the older rules of annex B read it. Never judges syntax.
 */
export function parsePattern(source: string, unicode: boolean): Node {
  const characters = unicode ? Array.from(source) : source.split("");
  return readChoice({ characters, unicode, at: 0, groups: 0 });
}

function readChoice(cursor: Cursor): Node {
  const options = [readSequence(cursor)];
  while (take(cursor, "|")) options.push(readSequence(cursor));
  const [first] = options;
  return options.length === 1 && first !== undefined ? first : { kind: "choice", options };
}

function readSequence(cursor: Cursor): Node {
  const parts: Node[] = [];
  for (
    let next = peek(cursor);
    next !== undefined && next !== "|" && next !== ")";
    next = peek(cursor)
  ) {
    parts.push(readQuantified(cursor));
  }
  return { kind: "sequence", parts };
}

function readQuantified(cursor: Cursor): Node {
  const node = readAtom(cursor);
  const bounds = readQuantifier(cursor);
  if (bounds === undefined) return node;
  // Lazy or greedy: which texts match is the same.
  take(cursor, "?");
  const [min, max] = bounds;
  return { kind: "repeat", node, min, max };
}

function readQuantifier(cursor: Cursor): readonly [min: number, max: number] | undefined {
  if (take(cursor, "*")) return [0, Number.POSITIVE_INFINITY];
  if (take(cursor, "+")) return [1, Number.POSITIVE_INFINITY];
  if (take(cursor, "?")) return [0, 1];
  if (peek(cursor) !== "{") return undefined;
  const rest = cursor.characters.slice(cursor.at, cursor.at + 40).join("");
  const found = /^\{(\d+)(,(\d*))?\}/.exec(rest);
  if (found === null) return undefined;
  cursor.at += found[0].length;
  const min = Number(found[1]);
  if (found[2] === undefined) return [min, min];
  return [min, found[3] === "" ? Number.POSITIVE_INFINITY : Number(found[3])];
}

function readAtom(cursor: Cursor): Node {
  const next = cursor.characters[cursor.at] ?? "";
  cursor.at += 1;
  switch (next) {
    case "^":
      return { kind: "assertion", what: "start" };
    case "$":
      return { kind: "assertion", what: "end" };
    case ".":
      return { kind: "set", set: anyButNewline };
    case "(":
      return readGroup(cursor);
    case "[":
      return { kind: "set", set: readClass(cursor) };
    case "\\":
      return readEscape(cursor);
    default:
      return { kind: "set", set: only(next.codePointAt(0) ?? 0) };
  }
}

function readGroup(cursor: Cursor): Node {
  if (!take(cursor, "?")) return readCapture(cursor, undefined);
  const behind = take(cursor, "<");
  const sign = peek(cursor);
  if (sign === "=" || sign === "!") {
    cursor.at += 1;
    return { kind: "look", node: closed(cursor), ahead: !behind, negative: sign === "!" };
  }
  if (behind) return readCapture(cursor, readUntil(cursor, ">"));
  const flags = readUntil(cursor, ":");
  const node = closed(cursor);
  return flags === "" ? node : { kind: "flagged", node };
}

function readCapture(cursor: Cursor, name: string | undefined): Node {
  cursor.groups += 1;
  const number = String(cursor.groups);
  const group: Node = { kind: "group", node: closed(cursor), name: number };
  return name === undefined ? group : { kind: "group", node: group, name };
}

function closed(cursor: Cursor): Node {
  const node = readChoice(cursor);
  take(cursor, ")");
  return node;
}

function readClass(cursor: Cursor): Charset {
  const negated = take(cursor, "^");
  const sets: Charset[] = [];
  while (peek(cursor) !== undefined && !take(cursor, "]")) {
    const low = readMember(cursor);
    if (typeof low !== "number") {
      sets.push(low);
      continue;
    }
    sets.push(readRange(cursor, low));
  }
  const all = union(sets);
  return negated ? complement(all) : all;
}

/** A character of a class, or the range that begins with it. */
function readRange(cursor: Cursor, low: number): Charset {
  const next = cursor.characters[cursor.at + 1];
  if (peek(cursor) !== "-" || next === undefined || next === "]") return only(low);
  cursor.at += 1;
  const high = readMember(cursor);
  if (typeof high === "number") return { ...only(low), ranges: [[low, high]] };
  // `[a-\d]`, by the older rules: three members.
  return union([only(low), only(0x2d), high]);
}

function readUntil(cursor: Cursor, end: string): string {
  let text = "";
  while (peek(cursor) !== undefined && !take(cursor, end)) {
    text += peek(cursor) ?? "";
    cursor.at += 1;
  }
  return text;
}

function peek(cursor: Cursor): string | undefined {
  return cursor.characters[cursor.at];
}

function take(cursor: Cursor, character: string): boolean {
  if (cursor.characters[cursor.at] !== character) return false;
  cursor.at += 1;
  return true;
}
