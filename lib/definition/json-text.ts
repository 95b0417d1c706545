import type { Literal } from "./number-text.ts";
import { childPointer, valueAt } from "./pointer.ts";
import type { Remark } from "./remark.ts";
import { depthLimit, isIndexKey, lineTable } from "./text.ts";
import type { KeyOrders, Reading } from "./text.ts";

interface Level {
  readonly pointer: string;
  /** Keys met so far; undefined in an array. */
  readonly keys: Set<string> | undefined;
  index: number;
}

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]|[^\s[\]{},:"]+/gs;

/**
 * Reads JSON (RFC 8259), or answers undefined where the text is none. `JSON.parse` reads the values; a scan of the tokens finds what it hides:
 * keys that stand twice, the order of numeric keys, and depth.
 */
export function readJson(text: string): Reading | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const at = lineTable(text);
  const remarks: Remark[] = [];
  const orders: KeyOrders = new WeakMap();
  scan(text, {
    key: (pointer, offset, again) => {
      if (!again) return;
      const message = "this key stands twice in its object; only one of the two can count";
      remarks.push({ code: "duplicate-key", pointer, message, place: at(offset) });
    },
    end: (pointer, keys) => {
      const object = keys.some(isIndexKey) ? valueAt(value, pointer) : undefined;
      if (typeof object === "object" && object !== null) orders.set(object, keys);
    },
    tooDeep: (pointer, offset) => {
      const message = `nested deeper than ${depthLimit} levels`;
      remarks.push({ code: "too-deep", pointer, message, place: at(offset) });
    },
  });
  if (remarks.length > 0) return { remarks };
  let offsets: Map<string, number> | undefined;
  return {
    value,
    orders,
    literals: () => numbersOf(text),
    offset: (pointer) => (offsets ??= allOffsets(text)).get(pointer),
  };
}

function* numbersOf(text: string): Iterable<Literal> {
  for (const { 0: word, index: offset } of text.matchAll(token))
    if (/^[-\d]/.test(word)) yield { text: word, offset };
}

function allOffsets(text: string): Map<string, number> {
  const offsets = new Map<string, number>();
  scan(text, { key: (pointer, offset) => offsets.set(pointer, offset) });
  return offsets;
}

interface Visitor {
  readonly key: (pointer: string, offset: number, again: boolean) => void;
  readonly end?: (pointer: string, keys: readonly string[]) => void;
  readonly tooDeep?: (pointer: string, offset: number) => void;
}

/** Goes over the tokens of a text that is known to be JSON. Array items are told as keys too. Ends at the first place that is too deep. */
function scan(text: string, visitor: Visitor): void {
  const levels: Level[] = [];
  let pending: string | undefined;
  for (const { 0: word, index: offset } of text.matchAll(token)) {
    const level = levels.at(-1);
    if (word === "}" || word === "]") {
      levels.pop();
      if (level?.keys !== undefined) visitor.end?.(level.pointer, [...level.keys]);
      continue;
    }
    if (level?.keys !== undefined && pending === undefined) {
      pending = keyAt(level, word, offset, visitor);
      continue;
    }
    const pointer = pending ?? itemPointer(level);
    if (pending === undefined) visitor.key(pointer, offset, false);
    pending = undefined;
    if (word !== "{" && word !== "[") continue;
    if (levels.length >= depthLimit) return visitor.tooDeep?.(pointer, offset);
    levels.push({ pointer, keys: word === "{" ? new Set() : undefined, index: 0 });
  }
}

function keyAt(level: Level, word: string, offset: number, visitor: Visitor): string {
  const key = JSON.parse(word) as string;
  const pointer = childPointer(level.pointer, key);
  visitor.key(pointer, offset, level.keys?.has(key) === true);
  level.keys?.add(key);
  return pointer;
}

function itemPointer(level: Level | undefined): string {
  return level === undefined ? "" : childPointer(level.pointer, level.index++);
}
