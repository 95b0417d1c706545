import type { Key } from "../names.ts";
import { isList, isObject, memberOf, sameJson } from "./json.ts";
import type { Json, JsonObject } from "./json.ts";
import { metadataOf } from "./metadata.ts";
import type { Cause, Resource } from "./resource.ts";

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomain = new RegExp(`^${label}(\\.${label})*$`);
const dns1123 = new RegExp(`^${label}$`);
const dns1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

/** Largest sum of a ConfigMap's values, in bytes. */
const largestConfigMap = 1024 * 1024;

/** Answers what is wrong with an object's namespace and name (RFC 1123, and RFC 1035 where a Service is called so). */
export function nameCauses(resource: Resource, key: Key): Cause[] {
  const causes: Cause[] = [];
  if (!dns1123.test(key.namespace) || key.namespace.length > 63)
    causes.push(
      invalidValue(
        "metadata.namespace",
        key.namespace,
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
      ),
    );
  if (resource.naming === "subdomain" && (!subdomain.test(key.name) || key.name.length > 253))
    causes.push(
      invalidValue(
        "metadata.name",
        key.name,
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
      ),
    );
  if (resource.naming === "dns1035" && (!dns1035.test(key.name) || key.name.length > 63))
    causes.push(
      invalidValue(
        "metadata.name",
        key.name,
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, end with an alphanumeric character, and be no more than 63 characters",
      ),
    );
  return causes;
}

/** Answers what a change breaks for every kind: new finalizers while an object is being deleted, and what an immutable ConfigMap holds. */
export function immutableCauses(old: JsonObject | undefined, now: JsonObject): Cause[] {
  if (old === undefined) return [];
  return [...finalizerCauses(old, now), ...(old["immutable"] === true ? dataCauses(old, now) : [])];
}

/** Answers what a ConfigMap's data exceed: 1 MiB of values. */
export function sizeCauses(resource: Resource, object: JsonObject): Cause[] {
  if (resource.kind !== "ConfigMap") return [];
  const bytes =
    sum(object["data"], (text) => utf8Length(text)) + sum(object["binaryData"], base64Length);
  if (bytes <= largestConfigMap) return [];
  return [
    {
      reason: "FieldValueTooLong",
      field: "[]",
      message: `Too long: may not be more than ${largestConfigMap} bytes`,
    },
  ];
}

function finalizerCauses(old: JsonObject, now: JsonObject): Cause[] {
  const before = metadataOf(old);
  if (before["deletionTimestamp"] === undefined) return [];
  const held = textsOf(before["finalizers"]);
  const added = textsOf(metadataOf(now)["finalizers"]).filter((name) => !held.includes(name));
  if (added.length === 0) return [];
  return [
    {
      reason: "FieldValueForbidden",
      field: "metadata.finalizers",
      message: `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers ${JSON.stringify(added)}`,
    },
  ];
}

function dataCauses(old: JsonObject, now: JsonObject): Cause[] {
  return ["immutable", "data", "binaryData"]
    .filter((field) => !sameJson(memberOf(old, field), memberOf(now, field)))
    .map((field) => ({
      reason: "FieldValueForbidden",
      field,
      message:
        field === "immutable"
          ? "Forbidden: field is immutable when `immutable` is set"
          : `Forbidden: field is immutable when \`immutable\` is set`,
    }));
}

function invalidValue(field: string, value: string, why: string): Cause {
  return {
    reason: "FieldValueInvalid",
    field,
    message: `Invalid value: ${JSON.stringify(value)}: ${why}`,
  };
}

function textsOf(value: Json | undefined): string[] {
  return isList(value) ? value.filter((item) => typeof item === "string") : [];
}

function sum(value: Json | undefined, length: (text: string) => number): number {
  if (!isObject(value)) return 0;
  return textsOf(Object.values(value)).reduce((total, text) => total + length(text), 0);
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

function base64Length(text: string): number {
  return Math.floor((text.replaceAll("=", "").length * 3) / 4);
}
