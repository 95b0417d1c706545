import type { Json, JsonObject } from "./json.ts";
import { isList, isObject, memberOf } from "./json.ts";
import type { Shape } from "./shape.ts";
import { itemShape, memberShape } from "./shape.ts";

/**
 * A set of field paths of an object (meta/v1 FieldsV1): every leaf, and every item of a list that is merged by items. A path is its
 * segments joined by NUL: `f:NAME` a member, `k:{KEYS}` an item of a map list, `v:VALUE` an item of a set.
 */
export type Fields = ReadonlySet<string>;

const joint = "\u0000";

/** Answers the path of what lies at a segment below the path; the root's path is "". */
function below(path: string, segment: string): string {
  return path === "" ? segment : `${path}${joint}${segment}`;
}

/** Answers the segment of a member. */
function memberSegment(name: string): string {
  return `f:${name}`;
}

/** Answers the segment of an item in a list that is a set or a map; two items of the same segment are one. */
export function itemSegment(item: Json, shape: Shape): string {
  if (shape.list === "set" || !isObject(item)) return `v:${JSON.stringify(item)}`;
  const keys = (shape.keys ?? []).map((key) => [
    key,
    memberOf(item, key) ?? shape.keyDefaults?.[key] ?? null,
  ]);
  return `k:${JSON.stringify(Object.fromEntries(keys))}`;
}

/** Answers whether the value is owned and replaced as a whole: a scalar, an empty object, an atomic list or object. */
function isLeaf(value: Json, shape: Shape): boolean {
  if (shape.atomic === true) return true;
  if (isList(value)) return shape.list === undefined || value.length === 0;
  return !isObject(value) || Object.keys(value).length === 0;
}

/** Answers the fields that the value sets, each with its leaf; an item of a map list stands for itself with null. */
export function leavesOf(value: Json, shape: Shape): ReadonlyMap<string, Json> {
  const found = new Map<string, Json>();
  collect(value, shape, { path: "", found });
  return found;
}

function collect(
  value: Json,
  shape: Shape,
  into: { path: string; found: Map<string, Json> },
): void {
  const { path, found } = into;
  if (isLeaf(value, shape)) {
    if (path !== "") found.set(path, value);
    return;
  }
  if (isList(value)) {
    for (const item of value) {
      const at = below(path, itemSegment(item, shape));
      found.set(at, null);
      if (isObject(item) && shape.list === "map")
        collect(item, itemShape(shape), { path: at, found });
    }
    return;
  }
  for (const [name, member] of Object.entries(value as JsonObject))
    collect(member, memberShape(shape, name), { path: below(path, memberSegment(name)), found });
}

/** Answers the fields and all that they lie below: a path is in it if something at or under it is in one of the sets. */
export function withParents(sets: Iterable<Fields>): Fields {
  const all = new Set<string>();
  for (const set of sets) for (const path of set) addWithParents(all, path);
  return all;
}

function addWithParents(all: Set<string>, path: string): void {
  for (let at = path; !all.has(at);) {
    all.add(at);
    const end = at.lastIndexOf(joint);
    if (end < 0) return;
    at = at.slice(0, end);
  }
}

/**
 * Answers the value without what lies at the paths given. Parts that lose nothing are the same as before; what loses all that it had is null, as
 * structured-merge-diff leaves it (a schema without a default there then refuses the object).
 */
export function withoutFields(value: Json, shape: Shape, gone: Fields): Json {
  return gone.size === 0 ? value : (strip(value, shape, { path: "", gone }) ?? {});
}

function strip(value: Json, shape: Shape, from: { path: string; gone: Fields }): Json {
  const { path, gone } = from;
  if (isLeaf(value, shape)) return value;
  if (isList(value)) {
    const kept = value
      .map((item) => ({ item, path: below(path, itemSegment(item, shape)) }))
      .filter((entry) => !gone.has(entry.path))
      .map((entry) => strip(entry.item, itemShape(shape), { path: entry.path, gone }));
    if (kept.length === value.length && kept.every((item, index) => item === value[index]))
      return value;
    return kept.length === 0 ? null : kept;
  }
  const before = Object.entries(value as JsonObject);
  const after = before
    .map(([name, member]) => ({ name, member, path: below(path, memberSegment(name)) }))
    .filter((entry) => !gone.has(entry.path))
    .map(
      (entry) =>
        [
          entry.name,
          strip(entry.member, memberShape(shape, entry.name), { path: entry.path, gone }),
        ] as const,
    );
  if (
    after.length === before.length &&
    after.every(([, member], index) => member === before[index]?.[1])
  )
    return value;
  return after.length === 0 ? null : Object.fromEntries(after);
}
