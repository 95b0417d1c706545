import { typeOfValue } from "../../../lib/schema/types.ts";
import { readJsonText } from "./content.ts";
import type { TypeTree } from "./type-tree.ts";
import type { Text } from "./text.ts";

/** JSON's grammar of a number (RFC 8259, section 6). */
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Answers the value that a text stands for, by the types that its schema allows. What fits no type stays text,
 * so that the validator can say what is wrong with it. Names like `__proto__` become plain members.
 */
export function coerce(text: Text, tree: TypeTree | undefined): unknown {
  if (typeof text === "string") return tree === undefined ? text : scalar(text, tree.types);
  if (isList(text)) return text.map((item, at) => coerce(item, tree?.item(at)));
  // `fromEntries` defines own members, never a prototype.
  return Object.fromEntries(
    [...text].map(([name, member]) => [name, coerce(member, memberTree(tree, name))]),
  );
}

function isList(text: Exclude<Text, string>): text is readonly Text[] {
  return Array.isArray(text);
}

function scalar(text: string, types: ReadonlySet<string>): unknown {
  if (types.size === 0 || types.has("string")) return text;
  if (text === "" && types.has("null")) return null;
  if (types.has("boolean") && (text === "true" || text === "false")) return text === "true";
  if ((types.has("number") || types.has("integer")) && number.test(text)) {
    const value = Number(text);
    // 1e999 has no JSON value.
    if (Number.isFinite(value)) return value;
  }
  return structure(text, types);
}

/** No style says how a structure stands within another one; clients write JSON. */
function structure(text: string, types: ReadonlySet<string>): unknown {
  const isStructure = types.has(text.startsWith("{") ? "object" : "array") && /^[{[]/.test(text);
  if (!isStructure) return text;
  const reading = readJsonText(text, "the value");
  return "value" in reading ? reading.value : text;
}

/** Answers the types of a member: its own, else what the schema says of all others; undefined where it says nothing. */
export function memberTree(tree: TypeTree | undefined, name: string): TypeTree | undefined {
  return tree?.property(name) ?? tree?.other();
}

/** Answers whether a coerced value has types that its schema allows, as far as types tell: which reading of a text is meant. */
export function fitsTypes(value: unknown, tree: TypeTree | undefined): boolean {
  if (tree === undefined) return true;
  if (!tree.types.has(typeOfValue(value))) return false;
  if (Array.isArray(value)) return value.every((item, at) => fitsTypes(item, tree.item(at)));
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([name, member]) => fitsTypes(member, memberTree(tree, name)));
}
