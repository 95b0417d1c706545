import type { Json, JsonObject } from "./json.ts";
import { isList, isObject } from "./json.ts";

/** The version of a CRD that is stored: its name and schema, and what else a cluster needs to serve it. */
export interface CrdVersion {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly group: string;
  readonly schema: JsonObject;
  readonly hasStatus: boolean;
  readonly columns: readonly { name: string; path: string; type: string }[];
  /** Dotted paths of `selectableFields`. */
  readonly selectable: readonly string[];
}

/**
 * Answers the storage version of a CustomResourceDefinition (parsed YAML).
 * @throws Error where something that every CRD has is not there
 */
export function versionOfCrd(crd: unknown): CrdVersion {
  const spec = objectAt(crd, "spec");
  const names = objectAt(spec, "names");
  const version = itemsOf(spec["versions"]).find((candidate) => candidate["storage"] === true);
  if (version === undefined) throw new Error("the CRD has no storage version below spec.versions");
  const group = textAt(spec, "group");
  return {
    group,
    apiVersion: `${group}/${textAt(version, "name")}`,
    kind: textAt(names, "kind"),
    plural: textAt(names, "plural"),
    schema: objectAt(objectAt(version, "schema"), "openAPIV3Schema"),
    hasStatus: isObject(version["subresources"]) && isObject(version["subresources"]["status"]),
    columns: itemsOf(version["additionalPrinterColumns"]).map((column) => ({
      name: textAt(column, "name"),
      path: textAt(column, "jsonPath"),
      type: textAt(column, "type"),
    })),
    selectable: itemsOf(version["selectableFields"]).map((field) =>
      textAt(field, "jsonPath").replace(/^\./, ""),
    ),
  };
}

function itemsOf(value: Json | undefined): JsonObject[] {
  return isList(value) ? value.filter(isObject) : [];
}

function objectAt(value: unknown, name: string): JsonObject {
  const member = isObject(value) ? value[name] : undefined;
  if (!isObject(member)) throw new Error(`the CRD has no object ${name}`);
  return member;
}

function textAt(value: JsonObject, name: string): string {
  const member = value[name];
  if (typeof member !== "string") throw new Error(`the CRD has no text ${name}`);
  return member;
}
