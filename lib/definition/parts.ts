import { isObject, member } from "./json.ts";
import type { JsonObject } from "./json.ts";
import { isReference, kindOf } from "./walk.ts";

/** Where references lead in what the parser sees. It takes an address outside for right, and is told to fetch none. */
const elsewhere = "https://reference.invalid/?";

/** Maps of a document whose members can be looked at apart. */
const dividable = ["paths", "webhooks", "definitions", "parameters", "responses"];

/** Characters of JSON in the first portion; each further one is eight times as large. */
const firstPortion = 32_768;

/**
 * Answers the document in portions that grow, each a document of its own with some of its paths and components. Every part stands in one portion,
 * once: references lead elsewhere, the author's data is gone, what YAML aliases share is written out.
 */
export function* portionsOf(root: JsonObject): Iterable<JsonObject> {
  const whole = copy(root) as Record<string, unknown>;
  const components = whole["components"];
  const owners: [Record<string, unknown>, string[]][] = [[whole, dividable]];
  if (isMap(components)) owners.push([components, Object.keys(components)]);
  const parts = owners.flatMap(([owner, keys]) => keys.flatMap((key) => takeOut(owner, key)));
  let portion = firstPortion;
  let size = 0;
  for (const [index, part] of parts.entries()) {
    size += part.size;
    part.putBack();
    if (size < portion && index < parts.length - 1) continue;
    yield structuredClone(whole);
    for (const done of parts.slice(0, index + 1)) done.takeOut();
    portion *= 8;
    size = 0;
  }
  if (parts.length === 0) yield whole;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return isObject(value);
}

/** Empties a map and answers its members, each ready to be put back. */
function takeOut(owner: Record<string, unknown>, key: string) {
  const map = member(owner, key);
  if (!isObject(map)) return [];
  const rest: Record<string, unknown> = {};
  owner[key] = rest;
  return Object.entries(map).map(([name, value]) => ({
    size: JSON.stringify(value).length,
    putBack: () =>
      void Object.defineProperty(rest, name, { value, enumerable: true, configurable: true }),
    takeOut: () => void delete rest[name],
  }));
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (!isObject(value)) return value;
  if (isReference(value)) return { $ref: elsewhere + encodeURIComponent(value["$ref"] as string) };
  const entries = Object.entries(value).flatMap(([key, child]): [string, unknown][] => {
    const kind = kindOf(key, child);
    if (key === "enum") return [[key, scalarsOf(child)]];
    // Server variables have a default that counts; other examples and defaults are data whatever they are.
    if (kind === "data") return isScalar(child) && key !== "example" ? [[key, child]] : [];
    if (kind === "object") return [[key, copy(child)]];
    if (kind === "text") return [[key, child]];
    return [[key, mapValues(child as JsonObject, kind === "names" ? copy : exampleCopy)]];
  });
  return Object.fromEntries(entries);
}

function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

/** The form of an enum is looked at, so its length stays. */
function scalarsOf(values: unknown): unknown {
  if (!Array.isArray(values)) return values;
  return values.map((value: unknown) => (isScalar(value) ? value : null));
}

function exampleCopy(example: unknown): unknown {
  if (!isObject(example)) return null;
  const hasData = isReference(example) || Object.hasOwn(example, "value");
  return hasData ? { value: null } : example;
}

function mapValues(map: JsonObject, change: (value: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));
}
