import { formatOf, parseMediaType } from "../media-type.ts";
import type { MediaType } from "../media-type.ts";

/** A key of `content`; undefined where it is no media type. */
export type Declared = MediaType | undefined;

/** Answers whether the bytes of a media type, or a key of `content`, are JSON. */
export function isJson(text: string): boolean {
  const type = parseMediaType(text);
  return type !== undefined && formatOf(type) === "json";
}

/**
 * Answers the index of the declared key that fits a sent type best: the same with its parameters, the same without any, the same but
 * for parameters, a range (`text/*`, then any), at last one of the same structure (RFC 6839: `application/vnd.pet+json` and
 * `application/json`, either way). -1 where none fits.
 */
export function matchContentType(sent: MediaType, declared: readonly Declared[]): number {
  for (const rule of rules) {
    const at = declared.findIndex((key) => key !== undefined && rule(key, sent));
    if (at >= 0) return at;
  }
  return -1;
}

const rules: readonly ((key: MediaType, sent: MediaType) => boolean)[] = [
  (key, sent) => isSame(key, sent) && key.parameters.size > 0 && sameParameters(key, sent),
  (key, sent) => isSame(key, sent) && key.parameters.size === 0,
  isSame,
  (key, sent) => key.subtype === "*" && key.type === sent.type,
  (key) => key.type === "*",
  sameStructure,
];

function isSame(key: MediaType, sent: MediaType): boolean {
  return key.type === sent.type && key.subtype === sent.subtype;
}

function sameParameters(key: MediaType, sent: MediaType): boolean {
  for (const [name, value] of key.parameters) {
    if (sent.parameters.get(name)?.toLowerCase() !== value.toLowerCase()) return false;
  }
  return true;
}

function sameStructure(key: MediaType, sent: MediaType): boolean {
  const format = formatOf(key);
  if ((format !== "json" && format !== "xml") || format !== formatOf(sent)) return false;
  // Two types with suffixes are two formats; one without is the format that the suffix names.
  return !key.subtype.includes("+") || !sent.subtype.includes("+");
}
