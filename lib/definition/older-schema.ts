import type { Schema } from "../compiled/compiled.ts";
import { member } from "./json.ts";
import type { JsonObject } from "./json.ts";

/** Answers the schema with draft 4's boolean exclusive bounds (2.0, 3.0) as numbers. */
export function withoutBooleanBounds(schema: JsonObject): JsonObject {
  let changed: Record<string, unknown> | undefined;
  for (const [exclusive, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    // oxfmt-ignore
    const flag = member(schema, exclusive);
    if (typeof flag !== "boolean") continue;
    changed ??= { ...schema };
    delete changed[exclusive];
    if (!flag || changed[bound] === undefined) continue;
    changed[exclusive] = changed[bound];
    delete changed[bound];
  }
  return changed ?? schema;
}

/** Annotations stay outside the alternative with null, where readers of a schema look for them. */
const outside = new Set(["default", "examples", "readOnly", "writeOnly", "deprecated", "xml"]);

/**
 * Answers the draft with `nullable` (3.0.4 section 4.7.24.2; 2.0 tools write `x-nullable`) applied. Beside allOf, anyOf or oneOf it means
 * "or null", as everyone who writes it there means it, although the standard gives it no effect without `type`.
 */
export function withNull(
  schema: JsonObject,
  draft: Readonly<Record<string, unknown>>,
  ignored: (message: string) => void,
): Schema {
  if (member(schema, "nullable") !== true && member(schema, "x-nullable") !== true) return draft;
  const { "x-nullable": _, ...rest } = draft;
  if (["allOf", "anyOf", "oneOf"].some((keyword) => Object.hasOwn(rest, keyword))) {
    const annotations = Object.entries(rest).filter(
      ([key]) => outside.has(key) || key.startsWith("x-"),
    );
    const asserted = Object.entries(rest).filter(
      ([key]) => !outside.has(key) && !key.startsWith("x-"),
    );
    return {
      ...Object.fromEntries(annotations),
      anyOf: [Object.fromEntries(asserted), { type: "null" }],
    };
  }
  if (typeof rest["type"] !== "string") return rest;
  const values = rest["enum"];
  if (Array.isArray(values) && !values.includes(null)) {
    ignored("nullable has no effect, because enum does not list null; add null to enum");
  }
  return { ...rest, type: [rest["type"], "null"] };
}
