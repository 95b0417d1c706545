import type { Parameter, Violation } from "../../../lib/compiled/compiled.ts";
import type { TypeTree } from "./type-tree.ts";
import { coerce } from "./coerce.ts";
import type { Reading } from "./context.ts";
import { readEntries } from "./entries.ts";
import type { RequestInput } from "./reading.ts";
import { readStyle } from "./style.ts";
import { kindsOf } from "./type-tree.ts";
import type { Writing } from "./style.ts";
import { cookieEntries, decodeForm, decodePercent, formEntries } from "./text.ts";
import type { Entries, Text } from "./text.ts";

/** The parts of a request that parameters are read from, each split once and only if asked for. */
export interface Places {
  readonly input: RequestInput;
  readonly query: () => Entries;
  readonly cookies: () => Entries;
  /** Cookies whose values are forms themselves: an exploded list in style form is `ids=1&ids=2` within one cookie. */
  readonly cookieForms: () => Entries;
}

/** Answers the places of a request. */
export function placesOf(input: RequestInput): Places {
  let query: Entries | undefined;
  let cookies: Entries | undefined;
  const cookie = (): string => input.headers.get("cookie") ?? "";
  return {
    input,
    query: () => (query ??= formEntries(input.rawQuery)),
    cookies: () => (cookies ??= cookieEntries(cookie())),
    cookieForms: () => cookieEntries(cookie().replaceAll("&", ";")),
  };
}

/** A parameter's value, if it has one, and what is wrong with it. */
export interface ParameterReading {
  readonly value?: unknown;
  readonly violations: readonly Violation[];
}

/**
 * Reads one parameter with a schema and a style: the first reading that its schema accepts, else what is wrong with the likeliest.
 * An absent one has its default, or is a violation if it is required. Never throws.
 */
export function readParameter(
  parameter: Parameter,
  places: Places,
  { tree, validate }: Reading,
): ParameterReading {
  const texts = textsOf(parameter, places, tree);
  if (texts === undefined) return absent(parameter, tree);
  if (parameter.allowEmptyValue && texts[0] === "")
    return { value: coerce("", tree), violations: [] };
  let first: ParameterReading | undefined;
  for (const text of texts) {
    const value = coerce(text, tree);
    const violations = validate(value);
    if (violations.length === 0) return { value, violations: [] };
    first ??= {
      value,
      violations: violations.map((violation) => ({ ...placeOf(parameter), ...violation })),
    };
  }
  return first ?? { violations: [notInStyle(parameter)] };
}

/** Answers what an absent parameter has: its default, else nothing, which is a violation if it is required. */
export function absent(parameter: Parameter, tree: TypeTree | undefined): ParameterReading {
  if (tree?.hasDefault === true) return { value: tree.default, violations: [] };
  if (!parameter.required) return { violations: [] };
  const message = `the ${parameter.in} parameter is required`;
  return { violations: [{ ...placeOf(parameter), pointer: "", message, keyword: "required" }] };
}

/** Answers the members of a violation that say which parameter it speaks of. */
export function placeOf(parameter: Parameter): Pick<Violation, "in" | "name"> {
  return { in: parameter.in, name: parameter.name };
}

/** Answers the raw text of a parameter that is not spread over several entries; undefined where it is absent. */
export function rawOf(parameter: Parameter, { input, query, cookies }: Places): string | undefined {
  switch (parameter.in) {
    case "path":
      return input.pathValues[parameter.name];
    case "header":
      return input.headers.get(parameter.name) ?? undefined;
    case "query":
      return query().get(parameter.name)?.[0];
    case "cookie":
      return cookies().get(parameter.name)?.[0];
    case "querystring":
      return input.rawQuery === "" ? undefined : input.rawQuery;
    default:
      return undefined;
  }
}

/** Answers how the text of a parameter is decoded where it stands. */
export function decoderOf({ in: place, style, allowReserved }: Parameter): (raw: string) => string {
  // Header fields and cookies of style `cookie` are not percent-encoded.
  if (place === "header") return (raw) => raw.trim();
  if (style === "cookie") return (raw) => raw;
  // Reserved expansion (RFC 6570, section 3.2.3) sends a plus as it is.
  return place === "query" && !allowReserved ? decodeForm : decodePercent;
}

function textsOf(parameter: Parameter, places: Places, tree: TypeTree): Text[] | undefined {
  const { name, style, explode } = parameter;
  const writing: Writing = { name, style, explode, decode: decoderOf(parameter) };
  if (parameter.in === "query") return readEntries(writing, places.query(), tree);
  if (parameter.in === "cookie" && explode && !kindsOf(tree).scalar) {
    return readEntries(writing, places.cookieForms(), tree);
  }
  // Of cookies with one name, set for several paths, the first is the nearest (RFC 6265, section 5.4).
  const raw = rawOf(parameter, places);
  return raw === undefined ? undefined : readStyle(writing, raw, tree);
}

function notInStyle(parameter: Parameter): Violation {
  const message = `is not written in style ${parameter.style}${parameter.explode ? ", exploded" : ""}`;
  return { ...placeOf(parameter), pointer: "", message, keyword: "style" };
}
