import type { Json, JsonObject } from "./json.ts";
import { isList, isObject, memberOf, sameJson } from "./json.ts";
import { itemSegment } from "./fields.ts";
import { memberSchema } from "./complete.ts";
import type { Place } from "./place.ts";
import { fieldName, invalidValue } from "./place.ts";
import { numberCauses, textCauses } from "./scalar.ts";
import type { Cause } from "./resource.ts";
import { shapeOfSchema } from "./shape.ts";

/**
 * Answers what the value breaks of a structural schema (apiextensions.k8s.io/v1 JSONSchemaProps), in the API server's words. CEL rules are not
 * its matter. Of a value of the wrong type nothing more is said.
 */
export function schemaCauses(value: Json, schema: JsonObject, place: Place): Cause[] {
  if (place.old !== undefined && sameJson(place.old, value)) return [];
  if (value === null && schema["nullable"] === true) return [];
  const wrongType = typeCause(value, schema, place);
  if (wrongType !== undefined) return [wrongType];
  return [
    ...enumCauses(value, schema, place),
    ...(typeof value === "string" ? textCauses(value, schema, place) : []),
    ...(typeof value === "number" ? numberCauses(value, schema, place) : []),
    ...(isList(value) ? listCauses(value, schema, place) : []),
    ...(isObject(value) ? objectCauses(value, schema, place) : []),
    ...combinedCauses(value, schema, place),
  ];
}

/** Answers the place of a member of an object. */
export function memberPlace(place: Place, name: string): Place {
  const step = /^[A-Za-z_][\w-]*$/.test(name)
    ? `${dotted(place.path)}${name}`
    : `${place.path}[${name}]`;
  return { path: step, old: isObject(place.old) ? memberOf(place.old, name) : undefined };
}

/** Answers the place of an item; its old value is found by the list's keys, and of an atomic list there is none. */
export function itemPlace(
  place: Place,
  schema: JsonObject,
  at: { index: number; item: Json },
): Place {
  const shape = shapeOfSchema(schema);
  const path = `${place.path}[${at.index}]`;
  if (shape.list === undefined || !isList(place.old)) return { path, old: undefined };
  const segment = itemSegment(at.item, shape);
  return { path, old: place.old.find((item) => itemSegment(item, shape) === segment) };
}

function dotted(path: string): string {
  return path === "" ? "" : `${path}.`;
}

function typeCause(value: Json, schema: JsonObject, place: Place): Cause | undefined {
  if (schema["x-kubernetes-int-or-string"] === true)
    return typeof value === "string" || Number.isInteger(value)
      ? undefined
      : typeError(value, "integer,string", place);
  const wanted = schema["type"];
  if (typeof wanted !== "string") return undefined;
  const fits: Record<string, boolean> = {
    object: isObject(value),
    array: isList(value),
    string: typeof value === "string",
    boolean: typeof value === "boolean",
    integer: Number.isInteger(value),
    number: typeof value === "number",
  };
  return fits[wanted] === false ? typeError(value, wanted, place) : undefined;
}

function typeError(value: Json, wanted: string, place: Place): Cause {
  const actual = value === null ? "null" : isList(value) ? "array" : typeof value;
  const found = typeof value === "number" && Number.isInteger(value) ? "integer" : actual;
  return {
    reason: "FieldValueTypeInvalid",
    field: fieldName(place),
    message: `Invalid value: "${found}": ${place.path === "" ? "" : `${place.path} in body `}must be of type ${wanted}: "${found}"`,
  };
}

function enumCauses(value: Json, schema: JsonObject, place: Place): Cause[] {
  const allowed = schema["enum"];
  if (!isList(allowed) || allowed.some((item) => sameJson(item, value))) return [];
  return [
    {
      reason: "FieldValueNotSupported",
      field: fieldName(place),
      message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${allowed.map((item) => JSON.stringify(item)).join(", ")}`,
    },
  ];
}

function listCauses(value: readonly Json[], schema: JsonObject, place: Place): Cause[] {
  const causes: Cause[] = [];
  const { minItems, maxItems, items } = schema;
  if (typeof maxItems === "number" && value.length > maxItems)
    causes.push({
      reason: "FieldValueTooMany",
      field: fieldName(place),
      message: `Too many: ${value.length}: must have at most ${maxItems} items`,
    });
  if (typeof minItems === "number" && value.length < minItems)
    causes.push(invalidValue(place, value.length, `should have at least ${minItems} items`));
  causes.push(...duplicateCauses(value, schema, place));
  if (isObject(items))
    for (const [index, item] of value.entries())
      causes.push(...schemaCauses(item, items, itemPlace(place, schema, { index, item })));
  return causes;
}

function duplicateCauses(value: readonly Json[], schema: JsonObject, place: Place): Cause[] {
  const shape = shapeOfSchema(schema);
  if (shape.list === undefined) return [];
  const seen = new Set<string>();
  return value.flatMap((item, index) => {
    const segment = itemSegment(item, shape);
    if (!seen.has(segment)) {
      seen.add(segment);
      return [];
    }
    return [
      {
        reason: "FieldValueDuplicate",
        field: `${place.path}[${index}]`,
        message: `Duplicate value: ${segment.slice(2)}`,
      },
    ];
  });
}

function objectCauses(value: JsonObject, schema: JsonObject, place: Place): Cause[] {
  const causes: Cause[] = [];
  const { required, minProperties, maxProperties } = schema;
  const count = Object.keys(value).length;
  for (const name of isList(required) ? required.map(String) : [])
    if (!Object.hasOwn(value, name))
      causes.push({
        reason: "FieldValueRequired",
        field: memberPlace(place, name).path,
        message: "Required value",
      });
  if (typeof maxProperties === "number" && count > maxProperties)
    causes.push({
      reason: "FieldValueTooMany",
      field: fieldName(place),
      message: `Too many: ${count}: must have at most ${maxProperties} items`,
    });
  if (typeof minProperties === "number" && count < minProperties)
    causes.push(invalidValue(place, count, `should have at least ${minProperties} properties`));
  for (const [name, member] of Object.entries(value)) {
    const known = memberSchema(schema, name);
    if (isObject(known)) causes.push(...schemaCauses(member, known, memberPlace(place, name)));
  }
  return causes;
}

function combinedCauses(value: Json, schema: JsonObject, place: Place): Cause[] {
  const branches = (keyword: string) =>
    (isList(schema[keyword]) ? schema[keyword] : [])
      .filter(isObject)
      .map((branch) => schemaCauses(value, branch, place));
  const all = branches("allOf").flat();
  const any = branches("anyOf");
  const one = branches("oneOf");
  if (any.length > 0 && any.every((causes) => causes.length > 0))
    all.push(invalidValue(place, value, "must validate at least one schema (anyOf)"));
  if (one.length > 0 && one.filter((causes) => causes.length === 0).length !== 1)
    all.push(invalidValue(place, value, "must validate one and only one schema (oneOf)"));
  if (isObject(schema["not"]) && schemaCauses(value, schema["not"], place).length === 0)
    all.push(invalidValue(place, value, "must not validate the schema (not)"));
  return all;
}
