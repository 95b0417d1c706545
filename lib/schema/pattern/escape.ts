import { complement, digits, only, spaces, wordCharacters } from "./charset.ts";
import type { Charset } from "./charset.ts";
import type { Node } from "./syntax.ts";

/** The part of a cursor that escapes need. */
export interface EscapeCursor {
  readonly characters: readonly string[];
  readonly unicode: boolean;
  at: number;
}

const classes: ReadonlyMap<string, Charset> = new Map([
  ["d", digits],
  ["D", complement(digits)],
  ["w", wordCharacters],
  ["W", complement(wordCharacters)],
  ["s", spaces],
  ["S", complement(spaces)],
]);

const controls: ReadonlyMap<string, number> = new Map([
  ["t", 0x09],
  ["n", 0x0a],
  ["v", 0x0b],
  ["f", 0x0c],
  ["r", 0x0d],
  ["0", 0x00],
]);

/** Reads what follows a backslash outside of a class. */
export function readEscape(cursor: EscapeCursor): Node {
  const next = cursor.characters[cursor.at] ?? "";
  const rest = restOf(cursor);
  if (next === "b" || next === "B") {
    cursor.at += 1;
    return { kind: "assertion", what: next === "b" ? "boundary" : "inside" };
  }
  const reference = /^(?:([1-9]\d*)|k<([^>]*)>)/.exec(rest);
  if (reference !== null) {
    cursor.at += reference[0].length;
    return { kind: "reference", name: reference[1] ?? reference[2] ?? "" };
  }
  const found = readCharacter(cursor);
  return { kind: "set", set: typeof found === "number" ? only(found) : found };
}

/** Reads a member of a class: one character, or a set. */
export function readMember(cursor: EscapeCursor): number | Charset {
  const next = cursor.characters[cursor.at] ?? "";
  cursor.at += 1;
  if (next !== "\\") return next.codePointAt(0) ?? 0;
  if (cursor.characters[cursor.at] !== "b") return readCharacter(cursor);
  cursor.at += 1;
  return 0x08;
}

function readCharacter(cursor: EscapeCursor): number | Charset {
  const next = cursor.characters[cursor.at] ?? "";
  const known = classes.get(next) ?? controls.get(next);
  if (known !== undefined) {
    cursor.at += 1;
    return known;
  }
  return readProperty(cursor) ?? readCode(cursor) ?? readItself(cursor, next);
}

/** The sets of properties (`\p{L}`), of which Unicode has a few hundred: an expression for each place would take long to make. */
const properties = new Map<string, Charset>();

function readProperty(cursor: EscapeCursor): Charset | undefined {
  if (!cursor.unicode) return undefined;
  const found = /^[pP]\{[^}]*\}/.exec(restOf(cursor));
  if (found === null) return undefined;
  cursor.at += found[0].length;
  const known = properties.get(found[0]);
  if (known !== undefined) return known;
  const property = new RegExp(`^\\${found[0]}$`, "u");
  const set: Charset = { ranges: [], properties: [property], complements: [], negated: false };
  properties.set(found[0], set);
  return set;
}

function readCode(cursor: EscapeCursor): number | undefined {
  const rest = restOf(cursor);
  const pair = cursor.unicode
    ? /^u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})/.exec(rest)
    : null;
  if (pair !== null) {
    cursor.at += pair[0].length;
    return (
      (parseInt(pair[1] ?? "", 16) - 0xd800) * 0x400 +
      parseInt(pair[2] ?? "", 16) -
      0xdc00 +
      0x1_0000
    );
  }
  const found = /^(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]+)\}|c([A-Za-z]))/.exec(rest);
  if (found === null || (found[3] !== undefined && !cursor.unicode)) return undefined;
  cursor.at += found[0].length;
  if (found[4] !== undefined) return found[4].charCodeAt(0) % 32;
  return parseInt(found[1] ?? found[2] ?? found[3] ?? "", 16);
}

function readItself(cursor: EscapeCursor, next: string): number {
  cursor.at += 1;
  return next.codePointAt(0) ?? 0x5c;
}

function restOf({ characters, at }: EscapeCursor): string {
  return characters.slice(at, at + 80).join("");
}
