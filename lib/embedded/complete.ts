import type { Json, JsonObject } from "./json.ts";
import { isList, isObject, memberOf } from "./json.ts";

/**
 * Answers the value with every member that the structural schema does not know removed (pruning), and its defaults filled in
 * (`default`; null is filled in too where it is not nullable). Parts that need nothing stay the same.
 */
export function completeValue(value: Json, schema: JsonObject): Json {
  if (isList(value)) {
    const items = memberOf(schema, "items");
    return isObject(items)
      ? same(
          value,
          value.map((item) => completeValue(item, items)),
        )
      : value;
  }
  return isObject(value) ? completeObject(value, schema) : value;
}

/** Answers the paths of the members that the schema does not know, in the words of strict field validation: `spec.mock.cros`. */
export function unknownFields(value: Json, schema: JsonObject, path = ""): string[] {
  if (isList(value)) {
    const items = memberOf(schema, "items");
    return isObject(items)
      ? value.flatMap((item, index) => unknownFields(item, items, `${path}[${index}]`))
      : [];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = path === "" ? name : `${path}.${name}`;
    const known = memberSchema(schema, name);
    if (known === undefined) return [at];
    return known === true ? [] : unknownFields(member, known, at);
  });
}

/** Answers the schema of a member; true where any value goes, undefined where the schema does not know it. */
export function memberSchema(schema: JsonObject, name: string): JsonObject | true | undefined {
  const properties = memberOf(schema, "properties");
  const property = isObject(properties) ? memberOf(properties, name) : undefined;
  if (isObject(property)) return property;
  const additional = memberOf(schema, "additionalProperties");
  if (isObject(additional)) return additional;
  const isOpen = additional === true || schema["x-kubernetes-preserve-unknown-fields"] === true;
  // An object of which a schema says nothing at all is pruned to nothing, except the roots that every object has.
  return isOpen ? true : undefined;
}

function completeObject(value: JsonObject, schema: JsonObject): JsonObject {
  const properties = memberOf(schema, "properties");
  const defaults = isObject(properties) ? properties : {};
  const entries: [string, Json][] = [];
  for (const [name, member] of Object.entries(value)) {
    const known = memberSchema(schema, name);
    if (known === undefined || (member === null && isReplaced(known))) continue;
    entries.push([name, known === true ? member : completeValue(member, known)]);
  }
  const present = new Set(entries.map(([name]) => name));
  for (const [name, property] of Object.entries(defaults)) {
    if (present.has(name) || !isObject(property)) continue;
    const filler = memberOf(property, "default");
    if (filler !== undefined) entries.push([name, completeValue(filler, property)]);
  }
  const before = Object.entries(value);
  const isSame =
    entries.length === before.length &&
    entries.every(([name, member], index) => {
      const [oldName, oldMember] = before[index] ?? [];
      return name === oldName && member === oldMember;
    });
  return isSame ? value : Object.fromEntries(entries);
}

function isReplaced(schema: JsonObject | true): boolean {
  return (
    schema !== true && schema["nullable"] !== true && memberOf(schema, "default") !== undefined
  );
}

function same(before: readonly Json[], after: readonly Json[]): readonly Json[] {
  return after.every((item, index) => item === before[index]) ? before : after;
}
