import type { Key } from "../names.ts";
import type { Json, JsonObject } from "./json.ts";
import { isList, isObject, textOf } from "./json.ts";
import { metadataOf } from "./metadata.ts";
import type { Cause, Resource } from "./resource.ts";

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const dns1123 = new RegExp(`^${label}$`);
const subdomain = new RegExp(`^${label}(\\.${label})*$`);
const dns1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const labelValue = /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;

/** Largest sum of an object's annotations, keys and values, in bytes. */
const largestAnnotations = 256 * 1024;

/** Answers what is wrong with the metadata of any kind (apimachinery ValidateObjectMeta): names, labels, annotations, owners, finalizers. */
export function metadataCauses(
  resource: Resource,
  object: JsonObject,
  at: { key: Key; old: JsonObject | undefined },
): Cause[] {
  const metadata = metadataOf(object);
  return [
    ...nameCauses(resource, at.key),
    ...labelCauses(metadata["labels"]),
    ...annotationCauses(metadata["annotations"]),
    ...ownerCauses(metadata["ownerReferences"]),
    ...(at.old === undefined ? [] : finalizerCauses(metadataOf(at.old), metadata)),
  ];
}

function nameCauses(resource: Resource, key: Key): Cause[] {
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

function labelCauses(labels: Json | undefined): Cause[] {
  return membersOf(labels)
    .filter(
      ([, value]) => typeof value !== "string" || value.length > 63 || !labelValue.test(value),
    )
    .map(([, value]) =>
      invalidValue(
        "metadata.labels",
        textOf(value),
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character, and be no more than 63 characters",
      ),
    );
}

function annotationCauses(annotations: Json | undefined): Cause[] {
  const size = membersOf(annotations)
    .map(([name, value]) => byteLength(name) + byteLength(textOf(value)))
    .reduce((total, bytes) => total + bytes, 0);
  if (size <= largestAnnotations) return [];
  return [
    {
      reason: "FieldValueTooLong",
      field: "metadata.annotations",
      message: `Too long: may not be more than ${largestAnnotations} bytes`,
    },
  ];
}

function ownerCauses(references: Json | undefined): Cause[] {
  const owners = (isList(references) ? references : []).filter(isObject);
  const lacking = owners.flatMap((owner) =>
    ["apiVersion", "kind", "name", "uid"]
      .filter((field) => typeof owner[field] !== "string" || owner[field] === "")
      .map((field) =>
        invalidValue(
          `metadata.ownerReferences.${field}`,
          textOf(owner[field] ?? ""),
          "must not be empty",
        ),
      ),
  );
  const controllers = owners
    .filter((owner) => owner["controller"] === true)
    .map((owner) => textOf(owner["name"] ?? ""));
  if (controllers.length < 2) return lacking;
  const why = `Only one reference can have Controller set to true. Found "true" in references for ${controllers.join(" and ")}`;
  return [...lacking, invalidValue("metadata.ownerReferences", textOf(references ?? null), why)];
}

function finalizerCauses(before: JsonObject, now: JsonObject): Cause[] {
  if (before["deletionTimestamp"] === undefined) return [];
  const held = before["finalizers"];
  const finalizers = isList(now["finalizers"]) ? now["finalizers"] : [];
  const added = finalizers.filter((name) => !isList(held) || !held.includes(name));
  if (added.length === 0) return [];
  return [
    {
      reason: "FieldValueForbidden",
      field: "metadata.finalizers",
      message: `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers ${JSON.stringify(added)}`,
    },
  ];
}

function invalidValue(field: string, value: string, why: string): Cause {
  return {
    reason: "FieldValueInvalid",
    field,
    message: `Invalid value: ${JSON.stringify(value)}: ${why}`,
  };
}

function membersOf(value: Json | undefined): [string, Json][] {
  return isObject(value) ? Object.entries(value) : [];
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
