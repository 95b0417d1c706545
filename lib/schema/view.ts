import type { Schema, SchemaId } from "../compiled/compiled.ts";
import { formatOf } from "./formats.ts";
import { keywordFault, keywordKinds } from "./keywords.ts";
import { patternFault } from "./pattern/matcher.ts";
import { isSchemaObject, nameList, referencedId } from "./reference.ts";
import type { SchemaObject, Schemas } from "./reference.ts";
import { flaggedNames, requiredNames } from "./view-names.ts";
import type { Names } from "./view-names.ts";

/** From which side a value is looked at: who sends it need not know what only the other side sets. */
export type View = "request" | "response" | "plain";

/** A named schema as one place sees it. `everywhere` and `outside` are names that leave `required` there, as its surroundings say. */
export interface Variant {
  readonly id: SchemaId;
  readonly view: View;
  /** Also inside the branches of a union. */
  readonly everywhere: readonly string[];
  /** Outside the branches of a union: another branch may have declared them. */
  readonly outside: readonly string[];
}

/** A schema cannot be compiled; the message says why and where. */
export class SchemaFault extends Error {
  override readonly name = "SchemaFault";
}

const flags = { request: "readOnly", response: "writeOnly", plain: undefined } as const;

/** Answers the text that names a variant; `$ref` of a viewed schema holds it. */
export function variantKey(variant: Variant): string {
  return JSON.stringify([variant.id, variant.view, variant.everywhere, variant.outside]);
}

/** Answers the variant that a key names. */
export function variantOfKey(key: string): Variant {
  const [id, view, everywhere, outside] = JSON.parse(key) as [SchemaId, View, string[], string[]];
  return { id, view, everywhere, outside };
}

/**
 * Answers a named schema as one view sees it: keywords that assert and nothing else, formats that are known, references as keys of variants.
 * In `request` names that are `readOnly` leave `required`, in `response` those that are `writeOnly`, wherever in the same place they
 * are declared (`allOf`, `$ref`), never inside `not` and `if`. Throws a SchemaFault where it cannot be compiled.
 */
export function viewOf(schemas: Schemas, variant: Variant): Schema {
  const schema = schemas[variant.id];
  if (schema === undefined) throw new SchemaFault(`there is no schema ${variant.id}`);
  const { view, everywhere, outside } = variant;
  const names: Names = { everywhere: new Set(everywhere), outside: new Set(outside) };
  return viewSchema({ schemas, view, pointer: "" }, schema, names);
}

interface Place {
  readonly schemas: Schemas;
  readonly view: View;
  readonly pointer: string;
}

const none: Names = { everywhere: new Set(), outside: new Set() };

function viewSchema(place: Place, schema: unknown, inherited: Names): Schema {
  if (typeof schema === "boolean") return schema;
  if (!isSchemaObject(schema)) throw fault(place, "a schema must be an object, true or false");
  const own = ownNames(place, schema);
  const names: Names = {
    everywhere: inherited.everywhere.union(own.everywhere),
    outside: inherited.outside.union(own.outside),
  };
  const members = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (!keywordKinds.has(keyword)) return [];
    const wrong = keywordFault(keyword, value);
    if (wrong !== undefined) throw fault(place, wrong);
    const viewed = viewKeyword(at(place, keyword), { keyword, value, names });
    return viewed === undefined ? [] : [viewed];
  });
  return Object.fromEntries(members);
}

interface Member {
  readonly keyword: string;
  readonly value: unknown;
  readonly names: Names;
}

function viewKeyword(
  place: Place,
  { keyword, value, names }: Member,
): [string, unknown] | undefined {
  const inBranch: Names = { everywhere: names.everywhere, outside: names.everywhere };
  switch (keyword) {
    case "$ref":
    case "$dynamicRef":
      return ["$ref", referenceKey(place, value, names)];
    case "allOf":
      return [keyword, viewList(place, value, names)];
    case "anyOf":
    case "oneOf":
      return [keyword, viewList(place, value, inBranch)];
    case "then":
    case "else":
      return [keyword, viewSchema(place, value, inBranch)];
    case "dependentSchemas":
      return [keyword, viewMap(place, value, inBranch)];
    case "not":
    case "if":
      return [keyword, viewSchema({ ...place, view: "plain" }, value, none)];
    case "required":
      return [keyword, nameList(value).filter((name) => !names.outside.has(name))];
    case "dependentRequired":
      return [keyword, viewDependent(value, names)];
    case "format":
      return formatOf(String(value)) === undefined ? undefined : [keyword, value];
    case "pattern":
      return [keyword, checkedPattern(place, String(value))];
    case "patternProperties":
      for (const pattern of Object.keys(value as object)) checkedPattern(place, pattern);
      return [keyword, viewMap(place, value, none)];
    default:
      return [keyword, viewChildren(place, keyword, value)];
  }
}

function viewChildren(place: Place, keyword: string, value: unknown): unknown {
  const kind = keywordKinds.get(keyword);
  if (kind === "schema") return viewSchema(place, value, none);
  if (kind === "schemas") return viewList(place, value, none);
  if (kind === "schema map") return viewMap(place, value, none);
  return value;
}

function viewList(place: Place, value: unknown, names: Names): Schema[] {
  return (value as readonly unknown[]).map((item, index) =>
    viewSchema(at(place, index), item, names),
  );
}

function viewMap(place: Place, value: unknown, names: Names): Record<string, Schema> {
  const entries = Object.entries(value as object);
  return Object.fromEntries(
    entries.map(([name, member]) => [name, viewSchema(at(place, name), member, names)]),
  );
}

function viewDependent(value: unknown, names: Names): Record<string, string[]> {
  const entries = Object.entries(value as Record<string, string[]>);
  return Object.fromEntries(
    entries.map(([name, list]) => [name, list.filter((item) => !names.outside.has(item))]),
  );
}

function referenceKey(place: Place, reference: unknown, names: Names): string {
  const id = referencedId(place.schemas, reference);
  if (id === undefined) throw fault(place, `${String(reference)} does not exist`);
  // Only names that the target asks for make another variant of it.
  const asked = names.outside.size === 0 ? new Set<string>() : requiredNames(place.schemas, id);
  const relevant = (set: ReadonlySet<string>): string[] =>
    [...set].filter((name) => asked.has(name)).toSorted();
  return variantKey({
    id,
    view: place.view,
    everywhere: relevant(names.everywhere),
    outside: relevant(names.outside),
  });
}

function checkedPattern(place: Place, pattern: string): string {
  const wrong = patternFault(pattern);
  if (wrong !== undefined) throw fault(place, wrong);
  return pattern;
}

function ownNames({ schemas, view }: Place, schema: SchemaObject): Names {
  const flag = flags[view];
  return flag === undefined ? none : flaggedNames({ schemas, flag }, schema);
}

function at(place: Place, step: string | number): Place {
  const escaped = String(step).replaceAll("~", "~0").replaceAll("/", "~1");
  return { ...place, pointer: `${place.pointer}/${escaped}` };
}

function fault(place: Place, what: string): SchemaFault {
  return new SchemaFault(place.pointer === "" ? what : `${what} (at ${place.pointer})`);
}
