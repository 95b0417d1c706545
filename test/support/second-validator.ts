import { Validator } from "@cfworker/json-schema";
import type { Compiled, Media, SchemaId } from "../../lib/compiled/compiled.ts";

/**
 * Answers how a response body breaks a schema of a definition, one line each, in the eyes of a validator that the mock does not use.
 * Names that are `writeOnly` are not demanded, as the mock's own view of responses has it.
 */
export function misfits(compiled: Compiled, id: SchemaId, body: unknown): string[] {
  const schemas = compiled.schemas as Readonly<Record<SchemaId, unknown>>;
  const defs = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, responseView(schema, schemas)]),
  );
  const schema = { $ref: `#/$defs/${id}`, $defs: defs };
  const { valid, errors } = new Validator(schema, "2020-12", false).validate(body);
  return valid ? [] : errors.map((error) => `${error.instanceLocation}: ${error.error}`);
}

/** Answers what is declared for an answer with content: by status, range or default, then by media type. */
export function declaredMedia(
  compiled: Compiled,
  operationId: string,
  answered: { readonly status: number; readonly type: string },
): Media | undefined {
  const operation = compiled.operations.find(({ id }) => id === operationId);
  const responses = new Map(operation?.responses);
  const range = `${Math.trunc(answered.status / 100)}XX`;
  const response =
    responses.get(String(answered.status)) ?? responses.get(range) ?? responses.get("default");
  const essence = answered.type.split(";", 1)[0]?.trim() ?? "";
  const named = response?.content.find(([key]) => key.split(";", 1)[0]?.trim() === essence);
  return (named ?? response?.content[0])?.[1];
}

/** Takes out of `required` what is `writeOnly`. */
function responseView(schema: unknown, schemas: Readonly<Record<SchemaId, unknown>>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => responseView(item, schemas));
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (key === "const" || key === "enum" || key === "default" || key === "examples") {
      return [key, value];
    }
    if (key !== "required" || !Array.isArray(value)) return [key, responseView(value, schemas)];
    const { properties } = schema as { properties?: Readonly<Record<string, unknown>> };
    return [key, value.filter((name) => !isWriteOnly(properties?.[String(name)], schemas))];
  });
  return Object.fromEntries(entries);
}

function isWriteOnly(schema: unknown, schemas: Readonly<Record<SchemaId, unknown>>): boolean {
  const { writeOnly, $ref } = (schema ?? {}) as { writeOnly?: unknown; $ref?: unknown };
  if (writeOnly === true) return true;
  if (typeof $ref !== "string") return false;
  const target = schemas[$ref.slice("#/$defs/".length)];
  return (target as { writeOnly?: unknown } | undefined)?.writeOnly === true;
}
