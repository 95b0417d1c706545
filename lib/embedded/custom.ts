import { createAdmission } from "./admission.ts";
import { ageColumn, nameColumn, pathColumn } from "./columns.ts";
import { versionOfCrd } from "./crd.ts";
import { isObject } from "./json.ts";
import { isSameSpec } from "./metadata.ts";
import type { Resource } from "./resource.ts";
import { metadataShape, shapeOfSchema } from "./shape.ts";

/**
 * Answers the kind that a CustomResourceDefinition (parsed YAML) serves: merged, defaulted, checked and shown as its storage version says. Fields that
 * its schema does not know are refused, as with `fieldValidation=Strict`.
 * @throws Error where it is no CRD, or has a CEL rule that cannot be parsed
 */
export function customResource(crd: unknown): Resource {
  const version = versionOfCrd(crd);
  const admission = createAdmission(crd);
  const shape = shapeOfSchema(version.schema);
  const columns = version.columns.map((column) =>
    pathColumn(column.name, column.path, column.type),
  );
  return {
    apiVersion: version.apiVersion,
    kind: version.kind,
    plural: version.plural,
    groupResource: `${version.plural}.${version.group}`,
    shape: { ...shape, fields: { ...shape.fields, metadata: metadataShape } },
    hasStatus: version.hasStatus,
    hasGeneration: true,
    isSameSpec,
    isTyped: false,
    naming: "subdomain",
    columns: [nameColumn, ...(columns.length === 0 ? [ageColumn] : columns)],
    selectable: version.selectable,
    complete: (object) => admission.default(object),
    unknown: (object) => admission.unknown(object),
    check: (object, old) => admission.validate(object, isObject(old) ? old : undefined),
  };
}
