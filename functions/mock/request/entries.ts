import type { TypeTree } from "./type-tree.ts";
import { memberTree } from "./coerce.ts";
import { readDeepObject } from "./deep-object.ts";
import { readStyle } from "./style.ts";
import { kindsOf } from "./type-tree.ts";
import type { Writing } from "./style.ts";
import type { Entries, Text } from "./text.ts";

/**
 * Answers the readings of a value that is spread over the entries of a query, a Cookie header or a form, the likeliest first
 * (as `readStyle`). Undefined: it is absent. An empty list: it is there and not in its style.
 */
export function readEntries(
  writing: Writing,
  entries: Entries,
  tree: TypeTree,
): Text[] | undefined {
  if (writing.style === "deepObject") return readDeepObject(writing, entries, tree);
  const { array, object, scalar } = kindsOf(tree);
  if (object && writing.explode) {
    const text = exploded(writing, entries, tree);
    if (text !== undefined) return [text];
    if (!array && !scalar) return undefined;
  }
  const values = entries.get(writing.name);
  if (values === undefined) return undefined;
  if (values.length > 1) return repeated(writing, values, tree);
  const [value = ""] = values;
  if (!writing.explode || (array && delimited(writing))) return readStyle(writing, value, tree);
  const text = writing.decode(value);
  const readings: Text[] = scalar ? [text] : [];
  if (array) readings.push([text]);
  if (array && value === "") readings.push([]);
  return readings;
}

/** A key sent several times: a list. In a style that is not exploded each may be a list: they are joined. */
function repeated(writing: Writing, values: readonly string[], tree: TypeTree): Text[] {
  if (writing.explode || !kindsOf(tree).array)
    return [values.map((value) => writing.decode(value))];
  const lists = values.map((value) => readStyle(writing, value, tree)[0] ?? []);
  return [lists.flatMap((list) => (Array.isArray(list) ? (list as readonly Text[]) : [list]))];
}

function delimited({ style }: Writing): boolean {
  return style === "spaceDelimited" || style === "pipeDelimited" || style === "tabDelimited";
}

/**
 * Gathers the members of an exploded object, which stand as entries of their own (`R=100&G=200`). Entries that the schema does
 * not name belong to it only where it describes them or names none at all: other parameters stand among them.
 * Members that are objects themselves have no form in this style and stay text.
 */
function exploded(writing: Writing, entries: Entries, tree: TypeTree): Text | undefined {
  const members = new Map<string, Text>();
  for (const [name, values] of entries) {
    const member = memberTree(tree, name);
    if (member === undefined) continue;
    const texts = values.map((value) => writing.decode(value));
    const list = texts.length > 1 || (kindsOf(member).array && !kindsOf(member).scalar);
    members.set(name, list ? texts : (texts[0] ?? ""));
  }
  return members.size === 0 ? undefined : members;
}
