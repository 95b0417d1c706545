import { decodeEscapes } from "./target.ts";

/** One segment of a path template. `mixed` is literals around variables, like `{name}.{format}`. */
export type Segment =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "mixed"; readonly literals: readonly string[]; readonly names: readonly string[] } // oxfmt-ignore
  | { readonly kind: "template"; readonly name: string };

/** Answers a segment of a path as the document writes it. Literals are compared decoded, so `a b` and `a%20b` are one. */
export function parseSegment(written: string): Segment {
  const parts = written.split(/\{([^{}]*)\}/);
  const literals = parts.filter((_, at) => at % 2 === 0).map((text) => decodeEscapes(text) ?? text);
  const names = parts.filter((_, at) => at % 2 === 1);
  const [name] = names;
  if (name === undefined) return { kind: "literal", text: literals[0] ?? "" };
  if (names.length === 1 && literals.every((text) => text === ""))
    return { kind: "template", name };
  return { kind: "mixed", literals, names };
}

/**
 * Answers where the variables of a mixed segment begin and end in a decoded text, or undefined where it does not match.
 * Each takes at least one character, the earlier ones as few as they can. Linear: nothing is ever tried twice, because taking
 * the first place of a literal leaves the most to what follows.
 */
export function matchMixed(
  literals: readonly string[],
  text: string,
): readonly (readonly [start: number, end: number])[] | undefined {
  const first = literals[0] ?? "";
  const last = literals.at(-1) ?? "";
  const limit = text.length - last.length;
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined;
  const spans: [number, number][] = [];
  let at = first.length;
  for (const literal of literals.slice(1, -1)) {
    const found = text.indexOf(literal, at + 1);
    if (found === -1) return undefined;
    spans.push([at, found]);
    at = found + literal.length;
  }
  if (limit <= at) return undefined;
  spans.push([at, limit]);
  return spans;
}

/** Answers, for each character of the decoded text and its end, where it stands in the raw one. */
export function rawPlaces(raw: string): number[] {
  const places: number[] = [];
  let at = 0;
  // One escape, or the escapes of one character of several bytes (they begin with 11 in binary, and go on with 10), or no escape.
  for (const [part] of raw.matchAll(/%[c-f][0-9a-f](?:%[89ab][0-9a-f])+|%..|[^%]/gisu)) {
    const text = decodeEscapes(part) ?? part;
    for (let unit = 0; unit < text.length; unit += 1) places.push(at);
    at += part.length;
  }
  return [...places, at];
}
