import type { Encoding } from "../../../lib/compiled/compiled.ts";
import type { TypeTree } from "./type-tree.ts";
import { coerce, fitsTypes, memberTree } from "./coerce.ts";
import { maxValues, readJsonText } from "./content.ts";
import type { ContentReading } from "./content.ts";
import { isJson } from "./content-type.ts";
import { readDeepObject } from "./deep-object.ts";
import { readEntries } from "./entries.ts";
import { kindsOf } from "./type-tree.ts";
import { countPairs, decodeForm, decodePercent, formEntries } from "./text.ts";
import type { Entries } from "./text.ts";

/** More names than any form has; each is looked up, so that more would keep a mock busy for seconds. */
const maxNames = 10_000;

/**
 * Reads a form (`application/x-www-form-urlencoded`) as an object: each property in the style of its encoding, else repeated keys
 * for lists, JSON or `name[member]` for objects; coerced like parameters. Keys that the schema does not name stay members.
 * A key is never split at its dots: `M.A` is a property of that name. Never throws.
 * More than `maxNames` names, or `maxValues` values, are too complex.
 */
export function readForm(
  text: string,
  encodings: Readonly<Record<string, Encoding>>,
  tree: TypeTree | undefined,
): ContentReading {
  if (countPairs(text) > maxValues) return tooComplex(`${maxValues} values`);
  const entries = formEntries(text);
  if (entries.size > maxNames) return tooComplex(`${maxNames} names`);
  const members = new Map<string, unknown>();
  for (const name of namesOf(entries, encodings, tree)) {
    const encoding = Object.hasOwn(encodings, name) ? encodings[name] : undefined;
    const value = readMember(name, entries, memberTree(tree, name), encoding);
    if (value !== undefined) members.set(name, value);
  }
  return { value: Object.fromEntries(members) };
}

function tooComplex(bound: string): ContentReading {
  return { failure: { code: "too-complex", detail: `The form has more than ${bound}` } };
}

/** Names of properties in the order of the wire; `a[b]` belongs to `a`, unless a property has just that name. */
function namesOf(
  entries: Entries,
  encodings: Readonly<Record<string, Encoding>>,
  tree: TypeTree | undefined,
): ReadonlySet<string> {
  const names = new Set<string>();
  for (const key of entries.keys()) {
    const bracket = key.indexOf("[");
    const base = bracket > 0 && key.endsWith("]") ? key.slice(0, bracket) : key;
    const nested =
      base !== key && tree?.property(key) === undefined && tree?.property(base) !== undefined;
    names.add(nested ? base : key);
  }
  // An exploded object has no entry of its own name: its members stand there instead.
  for (const [name, encoding] of Object.entries(encodings)) {
    names.add(name);
    const members = tree?.property(name);
    if (members === undefined || !kindsOf(members).object || !isExploded(encoding)) continue;
    for (const key of entries.keys()) {
      if (members.property(key) !== undefined && tree?.property(key) === undefined)
        names.delete(key);
    }
  }
  return names;
}

function isExploded({ style, explode }: Encoding): boolean {
  return style === "form" ? explode !== false : style === undefined && explode === true;
}

function readMember(
  name: string,
  entries: Entries,
  tree: TypeTree | undefined,
  encoding: Encoding | undefined,
): unknown {
  const styled = encoding?.style !== undefined || encoding?.explode !== undefined;
  if (tree !== undefined && styled) {
    const { style = "form", explode = style === "form", allowReserved = false } = encoding;
    const writing = { name, style, explode, decode: allowReserved ? decodePercent : decodeForm };
    const readings = readEntries(writing, entries, tree);
    if (readings === undefined) return undefined;
    const values = readings.map((reading) => coerce(reading, tree));
    const value = values.find((value) => fitsTypes(value, tree)) ?? values[0];
    if (value !== undefined) return value;
  }
  const texts = entries.get(name)?.map((raw) => decodeForm(raw));
  if (texts === undefined) return tree === undefined ? undefined : nested(name, entries, tree);
  return memberValue(texts, tree, encoding?.contentType);
}

function nested(name: string, entries: Entries, tree: TypeTree): unknown {
  const text = readDeepObject({ name, decode: decodeForm }, entries, tree)?.[0];
  return text === undefined ? undefined : coerce(text, tree);
}

/** Answers the value of a property from its texts, one per time that its key was sent; `contentType` is its encoding's, where it has one. */
function memberValue(
  texts: readonly string[],
  tree: TypeTree | undefined,
  contentType: string | undefined,
): unknown {
  const [first = ""] = texts;
  const json = contentType !== undefined && isJson(contentType);
  const { array, scalar } = kindsOf(tree);
  if (texts.length === 1 && json && !array) return jsonOr(first, tree);
  if (texts.length === 1 && json && first.trimStart().startsWith("[")) return jsonOr(first, tree);
  if (texts.length === 1 && (scalar || !array)) return itemValue(first, tree);
  return texts.map((item, at) => itemValue(item, tree?.item(at)));
}

/** Objects within a form are JSON, unless an encoding says otherwise (OpenAPI, "Encoding Object", contentType). */
function itemValue(item: string, tree: TypeTree | undefined): unknown {
  if (tree === undefined) return item;
  const { object, scalar } = kindsOf(tree);
  return object && !scalar ? jsonOr(item, tree) : coerce(item, tree);
}

function jsonOr(item: string, tree: TypeTree | undefined): unknown {
  const reading = readJsonText(item, "the property");
  return "value" in reading ? reading.value : coerce(item, tree);
}
