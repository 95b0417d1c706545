import { isAlias, isMap, isNode, isScalar, isSeq, Lexer, parseAllDocuments, visit } from "yaml";
import type { Document, Node, Pair, ParsedNode, YAMLError } from "yaml";

import type { Literal } from "./number-text.ts";
import { childPointer, pointerKeys } from "./pointer.ts";
import type { Remark } from "./remark.ts";
import { depthLimit, isIndexKey, lineTable } from "./text.ts";
import type { KeyOrders, Reading } from "./text.ts";

/** More nodes than any hand or generator writes; aliases can name a billion in a kilobyte. */
const nodeLimit = 1_000_000;

/** Resolving an alias costs a search of the document. */
const aliasLimit = 1000;

const duplicate = "this key stands twice in its mapping; only one of the two can count";
const tooDeep = `nested deeper than ${depthLimit} levels`;

/**
 * Reads YAML 1.2 (core schema, with merge keys). Never throws: what cannot be read, is not JSON in another dress, repeats itself without end
 * or beyond a million nodes is answered as remarks with places.
 */
export function readYaml(text: string): Reading {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof RangeError) return refusal("too-deep", tooDeep);
    return refusal("invalid-text", oneLine(error instanceof Error ? error.message : String(error)));
  }
}

/** Brackets are counted by themselves: the parser needs a minute for a million of them. The lexer knows which ones are text, if it comes to that. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth = bracket === "[" || bracket === "{" ? depth + 1 : Math.max(0, depth - 1);
    deepest = Math.max(deepest, depth);
  }
  if (deepest <= depthLimit) return false;
  depth = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === "[" || token === "{") depth += 1;
    else if (token === "]" || token === "}") depth -= 1;
    if (depth > depthLimit) return true;
  }
  return false;
}

function read(text: string): Reading {
  if (isTooDeep(text)) return refusal("too-deep", tooDeep);
  // The library compares each key with each other one: half a second for a thousand paths.
  const options = {
    merge: true,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
  } as const;
  const documents = parseAllDocuments(text, options);
  if ("empty" in documents) return nothing;
  const at = lineTable(text);
  const errors = documents.flatMap((document) => document.errors);
  if (errors.length > 0) return { remarks: [syntaxRemark(errors, at)] };
  const [document, second] = documents;
  if (document === undefined) return nothing;
  if (second !== undefined) {
    const message = "more than one YAML document; a definition is exactly one";
    return {
      remarks: [{ code: "several-documents", pointer: "", message, place: at(second.range[0]) }],
    };
  }
  const aliases = aliasCount(document);
  if (aliases > aliasLimit)
    return refusal("too-large", `${aliases} aliases; at most ${aliasLimit} are followed`);
  const value: unknown = document.toJS({ maxAliasCount: -1 });
  const orders: KeyOrders = new WeakMap();
  const remark = audit(value);
  if (remark !== undefined) return { remarks: [remark] };
  const twice: Remark[] = [];
  order(document.contents, value, {
    orders,
    twice: (pointer, offset) =>
      twice.push({ code: "duplicate-key", pointer, message: duplicate, place: at(offset) }),
  });
  if (twice.length > 0) return { remarks: twice };
  return {
    value,
    orders,
    literals: () => numbersOf(document),
    offset: (pointer) => offsetOf(document, pointer),
  };
}

const nothing: Reading = {
  value: null,
  orders: new WeakMap(),
  literals: () => [],
  offset: () => undefined,
};

function numbersOf(document: Document.Parsed): Literal[] {
  const literals: Literal[] = [];
  visit(document, {
    Scalar: (_, { value, source, range }) => {
      if (typeof value === "number" && source !== undefined)
        literals.push({ text: source, offset: range?.[0] ?? 0 });
    },
  });
  return literals;
}

/** Only the first unreadable place is told, as whatever follows it is most often its echo. */
function syntaxRemark(errors: readonly YAMLError[], at: ReturnType<typeof lineTable>): Remark {
  const deep = errors.find(({ message }) => message.includes("call stack"));
  const [error] = errors;
  const place = at((deep ?? error)?.pos[0] ?? 0);
  if (deep !== undefined) return { code: "too-deep", pointer: "", message: tooDeep, place };
  const message = `not readable as YAML: ${oneLine(error?.message ?? "")}`;
  return { code: "invalid-text", pointer: "", message, place };
}

function refusal(code: Remark["code"], message: string): Reading {
  return { remarks: [{ code, pointer: "", message }] };
}

function oneLine(message: string): string {
  return message.split("\n", 1)[0] ?? message;
}

function aliasCount(document: Document.Parsed): number {
  let count = 0;
  visit(document, { Alias: () => void (count += 1) });
  return count;
}

/** Counts what the value is when written out, each shared part as often as it is named, without writing it out. */
function audit(root: unknown): Remark | undefined {
  const sizes = new Map<object, number>();
  const open = new Set<object>();
  let found: Remark | undefined;
  function size(value: unknown, pointer: string): number {
    if (found !== undefined) return 0;
    if (typeof value !== "object" || value === null) {
      if (isJsonScalar(value)) return 1;
      found = { code: "invalid-text", pointer, message: "a value that JSON does not have" };
      return 0;
    }
    if (open.has(value)) {
      found = { code: "alias-cycle", pointer, message: "an alias that contains itself has no end" };
      return 0;
    }
    const known = sizes.get(value);
    if (known !== undefined) return known;
    if (open.size >= depthLimit) {
      found = { code: "too-deep", pointer, message: tooDeep };
      return 0;
    }
    open.add(value);
    let sum = 1;
    for (const [key, item] of Object.entries(value)) sum += size(item, childPointer(pointer, key));
    open.delete(value);
    sizes.set(value, sum);
    return sum;
  }
  const total = size(root, "");
  if (found !== undefined || total <= nodeLimit) return found;
  return {
    code: "too-large",
    pointer: "",
    message: `its aliases stand for more than ${nodeLimit} values`,
  };
}

function isJsonScalar(value: unknown): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  return typeof value === "number" && Number.isFinite(value);
}

interface Notes {
  readonly orders: KeyOrders;
  readonly twice: (pointer: string, offset: number) => void;
}

/** Notes the order of keys that JavaScript would change, and keys that stand twice. Aliases need no second look: they share the value of their anchor. */
function order(node: unknown, value: unknown, notes: Notes, pointer = ""): void {
  if (typeof value !== "object" || value === null) return;
  if (isSeq(node)) {
    node.items.forEach((item, index) => {
      order(item, (value as unknown[])[index], notes, childPointer(pointer, index));
    });
    return;
  }
  if (!isMap(node)) return;
  const keys = new Set<string>();
  for (const { key, value: child } of node.items) {
    const name = keyText(key);
    if (!Object.hasOwn(value, name)) continue;
    const below = childPointer(pointer, name);
    if (keys.has(name)) notes.twice(below, isNode(key) ? (key.range?.[0] ?? 0) : 0);
    keys.add(name);
    order(child, (value as Record<string, unknown>)[name], notes, below);
  }
  if (![...keys].some(isIndexKey)) return;
  notes.orders.set(value, [...new Set([...keys, ...Object.keys(value)])]);
}

function keyText(key: unknown): string {
  const plain = isScalar(key) ? key.value : key;
  if (typeof plain === "string") return plain;
  return plain === null || plain === undefined ? "" : JSON.stringify(plain);
}

/** Answers the offset of the key that the pointer ends in, or of the item. Looks through aliases. */
function offsetOf(document: Document.Parsed, pointer: string): number | undefined {
  let node: Node | ParsedNode | null | undefined = document.contents;
  let offset = node?.range?.[0];
  for (const key of pointerKeys(pointer)) {
    if (isAlias(node)) node = node.resolve(document);
    if (isSeq(node)) {
      const item: unknown = node.items[Number(key)];
      if (!isNode(item)) return undefined;
      node = item;
      offset = node.range?.[0];
    } else if (isMap(node)) {
      const pair: Pair | undefined = node.items.find((item) => keyText(item.key) === key);
      if (pair === undefined) return undefined;
      offset = isNode(pair.key) ? pair.key.range?.[0] : offset;
      node = isNode(pair.value) ? pair.value : undefined;
    } else return undefined;
  }
  return offset;
}
