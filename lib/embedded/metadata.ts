import type { Json, JsonObject } from "./json.ts";
import { isObject, omit, sameJson } from "./json.ts";

/** Metadata that the server alone writes. */
export const serverSide = [
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "managedFields",
  "selfLink",
] as const;

/** Answers the object without what identifies it and what the server alone writes: what managers own fields of. */
export function bodyOf(object: JsonObject): JsonObject {
  const metadata = omit(metadataOf(object), "name", "namespace", "generateName", ...serverSide);
  const rest = omit(object, "apiVersion", "kind", "metadata");
  return Object.keys(metadata).length === 0 ? rest : { metadata, ...rest };
}

/** Answers whether two bodies differ in metadata and status alone: for most kinds, that is no new generation. */
export function isSameSpec(a: JsonObject, b: JsonObject): boolean {
  return sameJson(omit(a, "metadata", "status"), omit(b, "metadata", "status"));
}

/** Answers the object's metadata, empty where it has none. */
export function metadataOf(object: JsonObject): JsonObject {
  return isObject(object["metadata"]) ? object["metadata"] : {};
}

/** Answers the members named, those that are there. */
export function pick(value: Json | undefined, ...names: readonly string[]): JsonObject {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
}

/** A Kubernetes timestamp: RFC 3339 in whole seconds. */
export function timestamp(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, "Z");
}
