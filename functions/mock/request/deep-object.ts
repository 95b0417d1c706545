import type { TypeTree } from "./type-tree.ts";
import { memberTree } from "./coerce.ts";
import { kindsOf } from "./type-tree.ts";
import type { Writing } from "./style.ts";
import type { Entries, Text } from "./text.ts";

/** How many brackets may follow a name. */
const maxDepth = 20;

interface Node {
  readonly values: string[];
  readonly children: Map<string, Node>;
}

/**
 * Answers what `name[a][b]=x` says (style deepObject): members as a map; indices (`[0]`, `[1]`), `[]` and repeated keys as lists
 * where the schema allows one. A member that has both a value and members of its own keeps the members. Indices order a list,
 * gaps close, so that `[999999999]` costs nothing. Undefined where no such key is there, no reading beyond `maxDepth`.
 */
export function readDeepObject(
  writing: Pick<Writing, "name" | "decode">,
  entries: Entries,
  tree: TypeTree,
): Text[] | undefined {
  const root: Node = { values: [], children: new Map() };
  const start = `${writing.name}[`;
  for (const [key, values] of entries) {
    if (!key.startsWith(start) || !key.endsWith("]")) continue;
    const path = key.slice(start.length, -1).split("][");
    if (path.length > maxDepth) return [];
    insert(
      root,
      path,
      values.map((value) => writing.decode(value)),
    );
  }
  return root.children.size === 0 ? undefined : [textOf(root, tree)];
}

function insert(root: Node, path: readonly string[], values: readonly string[]): void {
  let node = root;
  for (const step of path) {
    let next = node.children.get(step);
    if (next === undefined) node.children.set(step, (next = { values: [], children: new Map() }));
    node = next;
  }
  for (const value of values) node.values.push(value);
}

/** Depth is bounded by `maxDepth`. */
function textOf({ values, children }: Node, tree: TypeTree | undefined): Text {
  const { array, object, scalar } = kindsOf(tree);
  if (children.size === 0) {
    return values.length === 1 && (scalar || !array) ? (values[0] ?? "") : values;
  }
  const indexed = [...children.keys()].every((step) => /^\d*$/.test(step));
  if (!indexed || (object && !array)) {
    return new Map(
      [...children].map(([step, child]) => [step, textOf(child, memberTree(tree, step))]),
    );
  }
  return [...children]
    .toSorted(([a], [b]) => place(a) - place(b))
    .flatMap(([step, child], at) => itemsOf(step, child, tree?.item(at)));
}

/** `[]` comes after all numbers, in the order of the wire. */
function place(step: string): number {
  return step === "" ? Infinity : Math.min(Number(step), Number.MAX_SAFE_INTEGER);
}

function itemsOf(step: string, child: Node, tree: TypeTree | undefined): readonly Text[] {
  // `f[]=a&f[]=b` are two items of one key.
  return step === "" && child.children.size === 0 ? child.values : [textOf(child, tree)];
}
