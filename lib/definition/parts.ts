import type { Dialect } from "./definition.ts";
import { isObject, member } from "./json.ts";
import type { JsonObject } from "./json.ts";
import { childPointer } from "./pointer.ts";
import { isReference, kindOf } from "./walk.ts";

/** Where references lead in what the parser sees. It takes an address outside for right, and is told to fetch none. */
const elsewhere = "https://reference.invalid/?";

/** Maps of a document whose members can be looked at apart. */
const dividable = ["paths", "webhooks", "definitions", "parameters", "responses"];

/** What the standard allows as a component's name (3.0.4 section 4.7.7.1). */
export const plainName = /^[a-zA-Z0-9._-]+$/;

/** Characters of JSON in the first portion; each further one is eight times as large. */
const firstPortion = 32_768;

/** A document that holds a part of another. */
export interface Portion {
  readonly document: JsonObject;
  /** Answers where something of the portion stands in the whole document. */
  readonly original: (pointer: string) => string;
}

/**
 * Answers the document in portions that grow, each a document of its own with some of its paths and components. Every part stands in one portion,
 * once: references lead elsewhere, the author's data is gone, what YAML aliases share is written out, components have plain names, and a schema of
 * dialect 3.1 that is true or false is an object: the parser's own rules cannot read it where a parameter or a media type has it.
 */
export function* portionsOf(root: JsonObject, dialect: Dialect): Iterable<Portion> {
  const whole = copy(root, dialect) as Record<string, unknown>;
  const components = whole["components"];
  const parts = [
    ...dividable.flatMap((key) => takeOut(whole, key, "")),
    ...(isMap(components) ? Object.keys(components) : []).flatMap((key) =>
      takeOut(components as Record<string, unknown>, key, "/components"),
    ),
  ];
  const renamed = new Map(parts.map((part) => [part.as, part.pointer]));
  let portion = firstPortion;
  let size = 0;
  for (const [index, part] of parts.entries()) {
    size += part.size;
    part.putBack();
    if (size < portion && index < parts.length - 1) continue;
    yield { document: structuredClone(whole), original: (pointer) => originalOf(pointer, renamed) };
    for (const done of parts.slice(0, index + 1)) done.takeOut();
    portion *= 8;
    size = 0;
  }
  if (parts.length === 0) yield { document: whole, original: (pointer) => pointer };
}

function originalOf(pointer: string, renamed: ReadonlyMap<string, string>): string {
  for (let head = pointer; head !== ""; head = head.slice(0, head.lastIndexOf("/"))) {
    const found = renamed.get(head);
    if (found !== undefined) return found + pointer.slice(head.length);
  }
  return pointer;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return isObject(value);
}

/** A part of a document that can be put into a portion and taken out again. */
interface Part {
  readonly pointer: string;
  /** Where it stands in a portion. */
  readonly as: string;
  readonly size: number;
  readonly putBack: () => void;
  readonly takeOut: () => void;
}

/** Empties a map and answers its members. Components whose names are not plain get one: the names are judged by a rule of our own. */
function takeOut(owner: Record<string, unknown>, key: string, above: string): Part[] {
  const map = member(owner, key);
  if (!isObject(map) || key === "__proto__") return [];
  const rest: Record<string, unknown> = {};
  owner[key] = rest;
  const own = key === "paths" || key === "webhooks";
  const pointer = childPointer(above, key);
  // At a path without its slash the parser stops; a rule of our own has told it.
  const entries = Object.entries(map).filter(
    ([name]) => key !== "paths" || /^(?:\/|x-)/.test(name),
  );
  return entries.map(([name, value], index) => {
    const alias = own || plainName.test(name) ? name : `unnamed-${index}`;
    return {
      pointer: childPointer(pointer, name),
      as: childPointer(pointer, alias),
      size: JSON.stringify(value).length,
      putBack: () =>
        void Object.defineProperty(rest, alias, { value, enumerable: true, configurable: true }),
      takeOut: () => void delete rest[alias],
    };
  });
}

function copy(value: unknown, dialect: Dialect): unknown {
  if (Array.isArray(value)) return value.map((item) => copy(item, dialect));
  if (!isObject(value)) return value;
  if (isReference(value)) return { $ref: elsewhere + encodeURIComponent(value["$ref"] as string) };
  const entries = Object.entries(value).flatMap(([key, child]): [string, unknown][] => {
    const kind = kindOf(key, child);
    if (key === "enum") return [[key, scalarsOf(child)]];
    // Server variables have a default that counts; other examples and defaults are data whatever they are.
    if (kind === "data") return isScalar(child) && key !== "example" ? [[key, child]] : [];
    if (key === "schema" && typeof child === "boolean" && dialect === "3.1")
      return [[key, child ? {} : { not: {} }]];
    if (kind === "object") return [[key, copy(child, dialect)]];
    if (kind === "text") return [[key, child]];
    const change = kind === "names" ? (each: unknown) => copy(each, dialect) : exampleCopy;
    return [[key, mapValues(child as JsonObject, change)]];
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
