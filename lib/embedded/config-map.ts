import type { Json, JsonObject } from "./json.ts";
import { isObject, memberOf, sameJson } from "./json.ts";
import type { Cause } from "./resource.ts";

/** Largest sum of a ConfigMap's values, in bytes. */
const largestConfigMap = 1024 * 1024;

const dataKey = /^[-._a-zA-Z0-9]+$/;
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Answers what is wrong with a ConfigMap (core/v1 ValidateConfigMap): keys, values, its size, and a change of what is immutable. */
export function configMapCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const data = entriesOf(object["data"]);
  const binary = entriesOf(object["binaryData"]);
  return [
    ...data.flatMap(([key, value]) => entryCauses(`data[${key}]`, key, isText(value))),
    ...binary.flatMap(([key, value]) => entryCauses(`binaryData[${key}]`, key, isBase64(value))),
    ...sizeCauses([
      ...data.map(([, value]) => utf8Length(value)),
      ...binary.map(([, value]) => base64Length(value)),
    ]),
    ...(old?.["immutable"] === true ? changeCauses(old, object) : []),
  ];
}

function entryCauses(field: string, key: string, isValue: boolean): Cause[] {
  if (!dataKey.test(key) || key.length > 253)
    return [
      {
        reason: "FieldValueInvalid",
        field,
        message: `Invalid value: ${JSON.stringify(key)}: a valid config key must consist of alphanumeric characters, '-', '_' or '.'`,
      },
    ];
  if (isValue) return [];
  return [
    {
      reason: "FieldValueTypeInvalid",
      field,
      message: "Invalid value: not the text, or base64 text, that a ConfigMap holds",
    },
  ];
}

function sizeCauses(sizes: readonly number[]): Cause[] {
  const bytes = sizes.reduce((total, size) => total + size, 0);
  if (bytes <= largestConfigMap) return [];
  return [
    {
      reason: "FieldValueTooLong",
      field: "[]",
      message: `Too long: may not be more than ${largestConfigMap} bytes`,
    },
  ];
}

function changeCauses(old: JsonObject, now: JsonObject): Cause[] {
  return ["immutable", "data", "binaryData"]
    .filter((field) => !sameJson(memberOf(old, field), memberOf(now, field)))
    .map((field) => ({
      reason: "FieldValueForbidden",
      field,
      message: "Forbidden: field is immutable when `immutable` is set",
    }));
}

function entriesOf(value: Json | undefined): [string, Json][] {
  return isObject(value) ? Object.entries(value) : [];
}

function isText(value: Json): value is string {
  return typeof value === "string";
}

function isBase64(value: Json): boolean {
  return isText(value) && value.length % 4 === 0 && base64.test(value);
}

function utf8Length(value: Json): number {
  return isText(value) ? new TextEncoder().encode(value).length : 0;
}

function base64Length(value: Json): number {
  return isText(value) ? Math.floor((value.replaceAll("=", "").length * 3) / 4) : 0;
}
