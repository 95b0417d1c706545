import type { RuleCheck } from "./cel.ts";
import { compileRules } from "./cel.ts";
import { completeValue, unknownFields } from "./complete.ts";
import type { Json, JsonObject } from "./json.ts";
import { isObject, memberOf } from "./json.ts";
import type { Cause } from "./resource.ts";
import { schemaCauses } from "./schema.ts";
import { versionOfCrd } from "./crd.ts";

/** What a CRD's schema lets in: defaults, structural validation and CEL rules, as the API server's own. */
export interface Admission {
  /** Answers the object with unknown fields removed and defaults filled in; the one given is not changed. */
  default(object: JsonObject): JsonObject;
  /**
   * Answers what is wrong with the object, in the API server's words; none: it is let in. With `old` it is an update of that: rules with
   * `oldSelf` are asked, and what did not change is not refused anew. CEL rules are asked only where the schema holds.
   */
  validate(object: JsonObject, old?: JsonObject): readonly Cause[];
  /** Answers the paths of fields that the schema does not know: what `fieldValidation=Strict` refuses. */
  unknown(object: JsonObject): readonly string[];
}

/**
 * Answers the admission of a CustomResourceDefinition (parsed YAML), by its storage version.
 * @throws Error where it has no such version or schema, or a CEL rule that cannot be parsed
 */
export function createAdmission(crd: unknown): Admission {
  const schema = rootSchema(versionOfCrd(crd).schema);
  const ruleCheck: RuleCheck = compileRules(schema);
  return {
    default: (object) => {
      const completed = completeValue(object, schema);
      return isObject(completed) ? completed : object;
    },
    validate: (object, old) => {
      const place = { path: "", old };
      const causes = schemaCauses(object, schema, place);
      return causes.length > 0
        ? causes
        : ruleCheck(named(object), { path: "", old: old && named(old) });
    },
    unknown: (object) => unknownFields(object, schema),
  };
}

/** The schema with the members that every object has. */
function rootSchema(schema: JsonObject): JsonObject {
  const properties = memberOf(schema, "properties");
  return {
    ...schema,
    properties: {
      ...(isObject(properties) ? properties : {}),
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: {
        type: "object",
        properties: { name: { type: "string" }, generateName: { type: "string" } },
        "x-kubernetes-preserve-unknown-fields": true,
      },
    },
  };
}

/** Of metadata, rules see the name alone. */
function named(object: JsonObject): JsonObject {
  const metadata = object["metadata"];
  const kept: [string, Json][] = isObject(metadata)
    ? Object.entries(metadata).filter(([name]) => name === "name" || name === "generateName")
    : [];
  return { ...object, metadata: Object.fromEntries(kept) };
}
