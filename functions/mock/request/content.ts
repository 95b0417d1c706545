import { maxDepth } from "../../../lib/schema/budget.ts";

/** Why a text is no value of its media type. */
export interface ContentFailure {
  readonly code: "malformed-body" | "too-complex";
  readonly detail: string;
}

/** A value read from text, or why there is none. */
export type ContentReading = { readonly value: unknown } | { readonly failure: ContentFailure };

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Reads UTF-8 JSON (RFC 8259) whatever its charset says; a byte order mark is skipped. Never throws, never coerces. */
export function readJson(bytes: Uint8Array): ContentReading {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return malformed("The body is not JSON: it is not UTF-8");
  }
  return readJsonText(text, "The body");
}

/** How many values a body may hold: small ones take many times the memory of their text, and a mock has little. */
export const maxValues = 250_000;

/** Reads JSON text; `what` names it in the reason why it is none. */
export function readJsonText(text: string, what: string): ContentReading {
  const reason = excessOf(text);
  if (reason !== undefined) {
    return { failure: { code: "too-complex", detail: `${what} ${reason}` } };
  }
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return malformed(`${what} is not JSON: ${reasonOf(error)}`);
  }
}

/** Reads plain text; `charset` is a label of the Encoding standard, UTF-8 by default. Never throws. */
export function readText(bytes: Uint8Array, charset: string | undefined): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function malformed(detail: string): ContentReading {
  return { failure: { code: "malformed-body", detail } };
}

/** V8 quotes the input, which may hold line breaks and be long; the place is enough. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  const place = /at position \d+(?: \(line \d+ column \d+\))?/.exec(message)?.[0];
  if (place !== undefined) return `unexpected character ${place}`;
  const token = /^Unexpected token '([\x21-\x7e])'/.exec(message)?.[1];
  return token === undefined ? "it ends too early" : `unexpected ${token}`;
}

/** Counts what stands outside of strings, so that nothing deep or of too many parts is ever built; answers what there is too much of. */
function excessOf(text: string): string | undefined {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === quote) at = endOfString(text, at);
    else if (char === comma) values += 1;
    else if (char === openBrace || char === openBracket) {
      depth += 1;
      values += 1;
    } else if (char === closeBrace || char === closeBracket) depth -= 1;
    if (depth > maxDepth) return `nests deeper than ${maxDepth} levels`;
    if (values > maxValues) return `has more than ${maxValues} values`;
  }
  return undefined;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before -= 1;
  return (at - before) % 2 === 0;
}
