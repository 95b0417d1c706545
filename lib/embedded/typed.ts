import type { Json, JsonObject } from "./json.ts";
import { isList, isObject } from "./json.ts";

/** Fields of Go maps that leave nothing behind when they are empty; an empty struct (`resources: {}`) stays. */
const maps = new Set([
  "labels",
  "annotations",
  "data",
  "binaryData",
  "selector",
  "matchLabels",
  "nodeSelector",
]);

/**
 * Answers the value as it is after a Go type was filled from it and written again: nulls, empty lists and empty maps are gone
 * (`omitempty`). Kinds of the core are kept so; of custom resources, only the metadata are.
 */
export function throughType(value: JsonObject): JsonObject {
  const members = Object.entries(value).flatMap(([name, member]) => {
    const kept = keptOf(name, member);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  const isSame =
    members.length === Object.keys(value).length &&
    members.every(([name, member]) => value[name] === member);
  return isSame ? value : Object.fromEntries(members);
}

function keptOf(name: string, member: Json): Json | undefined {
  if (member === null) return undefined;
  if (isList(member)) {
    if (member.length === 0) return undefined;
    const items = member.map((item) => (isObject(item) ? throughType(item) : item));
    return items.every((item, index) => item === member[index]) ? member : items;
  }
  if (!isObject(member)) return member;
  if (!maps.has(name)) return throughType(member);
  return Object.keys(member).length === 0 ? undefined : member;
}
