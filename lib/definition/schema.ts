import type { Schema, SchemaId } from "../compiled/compiled.ts";
import type { Definition, Report } from "./definition.ts";
import { convertDiscriminator } from "./discriminator.ts";
import { isObject, member, textMember } from "./json.ts";
import type { JsonObject } from "./json.ts";
import { keywordKinds, plainKinds } from "./keywords.ts";
import { childPointer } from "./pointer.ts";
import { withNull, withoutBooleanBounds } from "./older-schema.ts";

/** What converting needs: the document, where to tell what is wrong, and ids for what is referred to. */
export interface SchemaContext {
  readonly definition: Definition;
  readonly report: Report;
  readonly at: (value: unknown, pointer: string) => SchemaId;
}

/** Most characters of a pattern: trying one, and making text that fits it, take time that grows with its length. */
const patternLimit = 10_000;

type Draft = Record<string, unknown>;

/**
 * Answers a schema of any dialect as JSON Schema 2020-12 (see `Schema`). What no validator could take is told as a finding and left out,
 * so that the result always compiles.
 */
export function convertSchema(value: unknown, pointer: string, context: SchemaContext): Schema {
  if (typeof value === "boolean") return value;
  if (!isObject(value)) {
    context.report({
      code: "invalid-keyword",
      pointer,
      message: "a schema is an object or a boolean",
    });
    return true;
  }
  const { dialect } = context.definition;
  const draft: Draft = {};
  const ref = textMember(value, "$ref") ?? dynamicTarget(value, dialect);
  if (ref !== undefined) draft["$ref"] = reference(ref, pointer, context);
  if (ref !== undefined && dialect !== "3.1") return draft;
  for (const [keyword, written] of Object.entries(older(value))) {
    if (keyword.startsWith("x-")) draft[keyword] = written;
    else if (keywordKinds.has(keyword)) keep(draft, keyword, written, { pointer, context });
  }
  examples(draft, value);
  const discriminator = convertDiscriminator(value, pointer, context);
  if (discriminator !== undefined) draft["discriminator"] = discriminator;
  const ignored = (message: string): void =>
    context.report({ code: "nullable-ignored", pointer, message });
  if (dialect !== "3.1") return withNull(value, draft, ignored);
  if (member(value, "nullable") === true) {
    const type = textMember(value, "type") ?? "object";
    ignored(`nullable has no effect from OpenAPI 3.1 on; write type: [${type}, "null"]`);
  }
  return draft;
}

interface Place {
  readonly pointer: string;
  readonly context: SchemaContext;
}

function keep(draft: Draft, keyword: string, written: unknown, { pointer, context }: Place): void {
  const kind = keywordKinds.get(keyword) ?? "any";
  const at = childPointer(pointer, keyword);
  const sub = (item: unknown, below: string): Schema => convertSchema(item, below, context);
  if (kind === "schema") draft[keyword] = sub(written, at);
  else if (kind === "schemas") {
    if (!Array.isArray(written)) return refuse(keyword, at, "a list of schemas", context);
    if (written.length > 0)
      draft[keyword] = written.map((item, index) => sub(item, childPointer(at, index)));
  } else if (kind === "schemaMap") {
    if (!isObject(written)) return refuse(keyword, at, "a map of schemas", context);
    draft[keyword] = Object.fromEntries(
      Object.entries(written).map(([name, item]) => [name, sub(item, childPointer(at, name))]),
    );
  } else if (!plainKinds[kind].test(written)) refuse(keyword, at, plainKinds[kind].name, context);
  else if (keyword === "pattern") pattern(draft, written as string, at, context);
  else draft[keyword] = written;
}

function refuse(keyword: string, pointer: string, wanted: string, { report }: SchemaContext): void {
  report({ code: "invalid-keyword", pointer, message: `${keyword} must be ${wanted}` });
}

function pattern(draft: Draft, written: string, pointer: string, { report }: SchemaContext): void {
  const shown = JSON.stringify(written).slice(0, 100);
  if (written.length > patternLimit) {
    const message = `a pattern of ${written.length} characters; at most ${patternLimit} are read`;
    report({ code: "invalid-pattern", pointer, message });
    return;
  }
  if (!isPattern(written, "")) {
    const message = `${shown} is no regular expression of ECMA-262`;
    report({ code: "invalid-pattern", pointer, message });
    return;
  }
  draft["pattern"] = written;
  if (isPattern(written, "u")) return;
  const message = `${shown} is not valid with Unicode rules (JSON Schema 2020-12); it is read by the older ones, where \\A and \\z are letters`;
  report({ code: "pattern-not-unicode", pointer, message });
}

function isPattern(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

/** Answers the schema with the notations of older dialects turned into today's. */
function older(value: JsonObject): JsonObject {
  const bounds = withoutBooleanBounds(value);
  if (bounds["type"] === "file") return { ...bounds, type: "string", format: "binary" };
  if (!Array.isArray(bounds["items"])) return bounds;
  const { items, additionalItems, ...rest } = bounds;
  return {
    ...rest,
    prefixItems: items,
    ...(additionalItems === undefined ? {} : { items: additionalItems }),
  };
}

function examples(draft: Draft, value: JsonObject): void {
  if (draft["examples"] === undefined && Object.hasOwn(value, "example"))
    draft["examples"] = [member(value, "example")];
}

function reference(ref: string, pointer: string, { definition, at }: SchemaContext): string {
  const target = definition.references.target(ref, pointer);
  const id = target.kind === "found" ? at(target.value, target.pointer) : at(true, pointer);
  return `#/$defs/${id}`;
}

/** `$dynamicRef` is followed where it stands; that a caller's anchor may replace the target is beyond a mock. */
function dynamicTarget(value: JsonObject, dialect: Definition["dialect"]): string | undefined {
  return dialect === "3.1" ? textMember(value, "$dynamicRef") : undefined;
}
