import { dereference, validate } from "@cfworker/json-schema";
import type { Schema } from "@cfworker/json-schema";
import type { Compiled, Media, SchemaId } from "../../lib/compiled/compiled.ts";

/** Which side of an exchange a value stands on: what is `readOnly` is not demanded of a request, what is `writeOnly` not of a response. */
export type Direction = "request" | "response";

/** Schemas as one side sees them, looked through once: a definition may have hundreds. */
interface View {
  readonly schemas: Readonly<Record<SchemaId, Schema | boolean>>;
  readonly lookup: ReturnType<typeof dereference>;
}

const views = new WeakMap<Compiled, Map<Direction, View>>();

/**
 * Answers how a value breaks a schema of a definition, one line each, in the eyes of a validator that the mock does not use.
 */
export function misfits(
  compiled: Compiled,
  id: SchemaId,
  value: unknown,
  direction: Direction = "response",
): string[] {
  const known = views.get(compiled) ?? new Map<Direction, View>();
  views.set(compiled, known);
  const view = known.get(direction) ?? makeView(compiled.schemas, direction);
  known.set(direction, view);
  const { valid, errors } = validate(
    value,
    view.schemas[id] ?? true,
    "2020-12",
    view.lookup,
    false,
  );
  return valid ? [] : errors.map((error) => `${error.instanceLocation}: ${error.error}`);
}

function makeView(schemas: Schemas, direction: Direction): View {
  const absent = direction === "request" ? "readOnly" : "writeOnly";
  const $defs = viewOf(schemas, schemas, absent) as View["schemas"];
  return { schemas: $defs, lookup: dereference({ $defs }) };
}

type Schemas = Readonly<Record<SchemaId, unknown>>;
type Absent = "readOnly" | "writeOnly";

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

/** Takes out of `required` what is absent on this side. */
function viewOf(schema: unknown, schemas: Schemas, absent: Absent): unknown {
  if (Array.isArray(schema)) return schema.map((item) => viewOf(item, schemas, absent));
  if (typeof schema !== "object" || schema === null) return schema;
  const { properties } = schema as { properties?: Readonly<Record<string, unknown>> };
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    // A pattern that only reads without the flag `u` says nothing to a validator that sets it.
    if (key === "pattern" && typeof value === "string" && !isUnicode(value)) return ["x-pattern", value]; // oxfmt-ignore
    if (["const", "enum", "default", "examples", "example"].includes(key)) return [key, value];
    if (key !== "required" || !Array.isArray(value)) return [key, viewOf(value, schemas, absent)];
    return [key, value.filter((name) => !isAbsent(properties?.[String(name)], schemas, absent))];
  });
  return Object.fromEntries(entries);
}

function isAbsent(schema: unknown, schemas: Schemas, absent: Absent): boolean {
  const { $ref, ...own } = (schema ?? {}) as { $ref?: unknown } & Record<string, unknown>;
  if (own[absent] === true) return true;
  if (typeof $ref !== "string") return false;
  const target = schemas[$ref.slice("#/$defs/".length)] as Record<string, unknown> | undefined;
  return target?.[absent] === true;
}

function isUnicode(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").unicode;
  } catch {
    return false;
  }
}
