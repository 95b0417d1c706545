import type { Fields } from "./exchange.ts";
import { isToken } from "./exchange.ts";

/** What a client wishes of an answer: RFC 7240's `Prefer` with our names, or the query keys that Prism knows. */
export interface Preference {
  readonly code?: Wish<number>;
  readonly example?: Wish<string>;
  readonly dynamic?: Wish<boolean>;
  readonly seed?: Wish<string>;
  readonly lenient?: Wish<true>;
  readonly explain?: Wish<true>;
  /** Wishes that cannot be read, each as one line. They weigh only after the request itself was found right. */
  readonly malformed: readonly string[];
}

/** Names one of the wishes. */
export type WishName = Exclude<keyof Preference, "malformed">;

/** A wish, and how it was spelled: what `Preference-Applied` repeats. */
export interface Wish<Value> {
  readonly value: Value;
  readonly spelled: string;
}

/** Nothing is wished for. */
export const noPreference: Preference = { malformed: [] };

/** Our names by the names that mocks before us knew. */
const names: ReadonlyMap<string, "code" | "example" | "dynamic" | "seed" | "handling" | "explain"> =
  new Map([
    ["code", "code"],
    ["status", "code"],
    ["statuscode", "code"],
    ["example", "example"],
    ["dynamic", "dynamic"],
    ["seed", "seed"],
    ["handling", "handling"],
    ["explain", "explain"],
  ] as const);

const item = /([^\s,;="]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?/g;

type Sent = readonly (readonly [name: string, value: string])[];

/**
 * Answers what a request prefers, and the query without our keys. The header counts where it has any of our names, else the query;
 * of each name the first. Never throws: what cannot be read is in `malformed`.
 */
export function readPreference(
  prefer: string | null,
  query: string,
): { preference: Preference; rawQuery: string } {
  const { asked, rawQuery } = query.includes("__") || query.includes("%5") ? takeKeys(query) : { asked: [], rawQuery: query }; // oxfmt-ignore
  const sent = prefer === null ? [] : parsePrefer(prefer);
  const list = sent.length === 0 ? asked : sent;
  return { preference: list.length === 0 ? noPreference : readWishes(list), rawQuery };
}

function parsePrefer(prefer: string): Sent {
  return [...prefer.matchAll(item)].flatMap(([, name = "", quoted, bare]) =>
    names.has(name.toLowerCase())
      ? [[name, utf8(quoted?.replaceAll(/\\(.)/g, "$1") ?? bare ?? "")] as const]
      : [],
  );
}

function takeKeys(query: string): { asked: Sent; rawQuery: string } {
  const asked: (readonly [string, string])[] = [];
  const rest = query.split("&").filter((pair) => {
    const [name = "", value = ""] = split(pair);
    if (!/^__(?:code|example|dynamic|seed)$/.test(name)) return true;
    asked.push([name.slice(2), value]);
    return false;
  });
  return { asked, rawQuery: rest.join("&") };
}

function split(pair: string): string[] {
  const at = pair.indexOf("=");
  const parts = at === -1 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
  return parts.map((part) => {
    try {
      return decodeURIComponent(part.replaceAll("+", " "));
    } catch {
      return part;
    }
  });
}

/** Field values arrive as one character a byte; names of examples are UTF-8. */
function utf8(text: string): string {
  if (!/[\x80-\xff]/.test(text) || /[^\0-\xff]/.test(text)) return text;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "latin1"));
  } catch {
    return text;
  }
}

function readWishes(list: Sent): Preference {
  const found: { -readonly [Name in keyof Preference]: Preference[Name] } = { malformed: [] };
  const malformed: string[] = [];
  const seen = new Set<string>();
  for (const [spelled, value] of list) {
    const name = names.get(spelled.toLowerCase());
    if (name === undefined || seen.has(name)) continue;
    seen.add(name);
    const wish = { spelled: `${spelled}${value === "" ? "" : `=${spell(value)}`}` };
    if (name === "code") {
      if (/^[2-5]\d\d$/.test(value)) found.code = { ...wish, value: Number(value) };
      else malformed.push(`${spelled}=${value} is no status of 200 to 599`);
    } else if (name === "example" || name === "seed") {
      if (value === "") malformed.push(`${spelled} has no value`);
      else found[name] = { ...wish, value };
    } else if (name === "dynamic") {
      if (/^(?:true|false|)$/.test(value)) found.dynamic = { ...wish, value: value !== "false" };
      else malformed.push(`${spelled}=${value} is neither true nor false`);
    } else if (name === "explain") {
      if (value !== "false") found.explain = { ...wish, value: true };
    } else if (value === "lenient") {
      // RFC 7240, section 4.4; `strict` is what a mock does anyway.
      found.lenient = { ...wish, value: true };
    }
  }
  return { ...found, malformed };
}

/** Answers the `Preference-Applied` field (RFC 7240, section 3) of the wishes that shaped an answer; nothing where none did. */
export function appliedFields(preference: Preference, applied: ReadonlySet<WishName>): Fields {
  const spelled = [...applied].flatMap((name) => preference[name]?.spelled ?? []);
  return spelled.length === 0 ? [] : [["Preference-Applied", spelled.join(", ")]];
}

/** A token as it is, else a quoted string, UTF-8 as one character a byte. */
function spell(value: string): string {
  if (isToken(value)) return value;
  const bytes = Buffer.from(value, "utf8").toString("latin1");
  // oxlint-disable-next-line no-control-regex -- they must not reach a field value
  return `"${bytes.replaceAll(/[\0-\x08\x0a-\x1f\x7f]/g, "?").replaceAll(/["\\]/g, "\\$&")}"`;
}
