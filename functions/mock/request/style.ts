import type { Style } from "../../../lib/compiled/compiled.ts";
import { halves } from "./text.ts";
import type { Text } from "./text.ts";
import { kindsOf } from "./type-tree.ts";
import type { TypeTree } from "./type-tree.ts";

/** How a value is written: the name it goes by, its style (OpenAPI, "Style Values"; RFC 6570), and how its parts are decoded. */
export interface Writing {
  readonly name: string;
  readonly style: Style;
  readonly explode: boolean;
  readonly decode: (raw: string) => string;
}

/** What separates the parts of a value: as it stands on the wire, and once decoded. */
interface Delimiter {
  readonly raw: RegExp;
  readonly decoded: string;
}

const comma: Delimiter = { raw: /,/, decoded: "," };
const dot: Delimiter = { raw: /\./, decoded: "." };
const semicolon: Delimiter = { raw: /;/, decoded: ";" };
const delimiters: Partial<Record<Style, Delimiter>> = {
  spaceDelimited: { raw: / |\+|%20/, decoded: " " },
  pipeDelimited: { raw: /\||%7C/i, decoded: "|" },
  tabDelimited: { raw: /\t|%09/, decoded: "\t" },
};

/** Characters beyond which a text is no list or object but itself: each delimiter takes many times its length in memory. */
const longest = 1_000_000;

/**
 * Answers the readings of one raw value, the likeliest first; a caller takes the first that its schema accepts.
 * There are several because clients encode delimiters that the style has raw, and because a schema may allow more than one type.
 * None: it is not written in this style. It never throws and takes time linear in the text.
 */
export function readStyle(writing: Writing, raw: string, tree: TypeTree): Text[] {
  const body = stripped(writing, raw);
  if (body === undefined) return [];
  const { array, object, scalar } = body.length > longest ? kindsOf(undefined) : kindsOf(tree);
  const delimiter = delimiterOf(writing, body);
  const readings: Text[] = [];
  if (object) readings.push(...(writing.explode ? members : alternating)(writing, body, delimiter));
  if (array) readings.push(...lists(writing, body, delimiter));
  // A union of a list and a plain value: the delimiter tells which was meant.
  if (scalar && array && !delimiter.raw.test(body)) readings.unshift(...plain(writing, body));
  else if (scalar) readings.push(...plain(writing, body));
  return readings;
}

/** Takes off what a style puts before a value: `.` of label, `;` of matrix. */
function stripped(writing: Writing, raw: string): string | undefined {
  if (writing.style !== "label" && writing.style !== "matrix") return raw;
  const mark = writing.style === "label" ? "." : ";";
  return raw.startsWith(mark) ? raw.slice(1) : undefined;
}

function delimiterOf({ style, explode }: Writing, body: string): Delimiter {
  if (style === "matrix") return explode ? semicolon : comma;
  // OpenAPI before 3.0.4 wrote dots in a label that is not exploded, RFC 6570 and later ones commas.
  if (style === "label") return explode || !body.includes(",") ? dot : comma;
  return delimiters[style] ?? comma;
}

function plain(writing: Writing, body: string): Text[] {
  const value = unnamed(writing, body);
  return value === undefined ? [] : [writing.decode(value)];
}

function lists(writing: Writing, body: string, delimiter: Delimiter): Text[] {
  if (writing.style !== "matrix" || !writing.explode) {
    const value = unnamed(writing, body);
    return value === undefined ? [] : splits(writing, value, delimiter);
  }
  const values: string[] = [];
  for (const part of body.split(";")) {
    const value = unnamed(writing, part);
    if (value === undefined) return [];
    values.push(writing.decode(value));
  }
  return [values];
}

/** Answers the ways to split a text: raw; if it has no raw delimiter, decoded; nothing at all may be an empty list. */
function splits({ decode }: Writing, text: string, delimiter: Delimiter): string[][] {
  const parts = text.split(delimiter.raw);
  const readings = [parts.map((part) => decode(part))];
  const whole = decode(text);
  if (parts.length === 1 && whole.includes(delimiter.decoded)) {
    readings.push(whole.split(delimiter.decoded));
  }
  if (text === "") readings.push([]);
  return readings;
}

/** `R,100,G,200`: names and values in turn. */
function alternating(writing: Writing, body: string, delimiter: Delimiter): Text[] {
  const value = unnamed(writing, body);
  return value === undefined ? [] : paired(splits(writing, value, delimiter));
}

function paired(readings: readonly string[][]): Text[] {
  const objects: Text[] = [];
  for (const parts of readings) {
    if (parts.length % 2 === 1) continue;
    const object = new Map<string, string>();
    for (let at = 0; at < parts.length; at += 2) object.set(parts[at] ?? "", parts[at + 1] ?? "");
    objects.push(object);
  }
  return objects;
}

/** `R=100,G=200`: each part has its name. */
function members({ decode }: Writing, body: string, delimiter: Delimiter): Text[] {
  if (body === "") return [new Map()];
  const raw = named(body.split(delimiter.raw), delimiter, decode);
  if (raw !== undefined) return [raw];
  const decoded = named(decode(body).split(delimiter.decoded), delimiter, (part) => part);
  return decoded === undefined ? [] : [decoded];
}

function named(
  parts: readonly string[],
  delimiter: Delimiter,
  decode: (raw: string) => string,
): Text | undefined {
  const object = new Map<string, string>();
  let last: string | undefined;
  for (const part of parts) {
    const [key, value] = halves(part, "=");
    // A part without a name goes on with the value before it: dots are not encoded, and a label is split at them.
    if (part.includes("=")) object.set((last = decode(key)), decode(value));
    else if (last === undefined) return undefined;
    else object.set(last, `${object.get(last) ?? ""}${delimiter.decoded}${decode(part)}`);
  }
  return object;
}

/** Takes `name=` off a matrix value; undefined where another name stands there. */
function unnamed({ style, name, decode }: Writing, body: string): string | undefined {
  if (style !== "matrix") return body;
  const [key, value] = halves(body, "=");
  return decode(key) === name ? value : undefined;
}
