import type { JsonObject } from "./json.ts";
import type { Literal } from "./number-text.ts";
import type { Place, Remark } from "./remark.ts";

/** A text that was read: plain JSON values and what JavaScript objects do not keep of them. */
export interface Source {
  readonly root: JsonObject;
  readonly syntax: "json" | "yaml";
  /** Numbers of the text that a double does not hold, by what JavaScript writes for them. */
  readonly numbers: Readonly<Record<string, string>>;
  /** What can be read and yet loses something. */
  readonly remarks: readonly Remark[];
  /** Answers an object's keys as written: JavaScript would put numeric ones first. */
  readonly keys: (object: object) => readonly string[];
  /** Answers where a pointer's value stands, or the nearest thing above it that is there. */
  readonly place: (pointer: string) => Place;
}

/** What reading a syntax ended with: any value with its keys' order and places, or why not. */
export type Reading =
  | {
      readonly value: unknown;
      readonly orders: KeyOrders;
      /** Every number, as written. Only asked for where the text has long ones. */
      readonly literals: () => Iterable<Literal>;
      readonly offset: (pointer: string) => number | undefined;
    }
  | { readonly remarks: readonly Remark[] };

/** The keys as written of those objects where JavaScript would tell another order. */
export type KeyOrders = WeakMap<object, readonly string[]>;

/** Most levels of nesting that a definition may have; deeper ones are nobody's API and exhaust stacks. */
export const depthLimit = 200;

/** Answers whether JavaScript lists this key before others, whatever the order of writing. */
export function isIndexKey(key: string): boolean {
  return /^(?:0|[1-9]\d{0,9})$/.test(key);
}

/** Answers line and column (from 1) of offsets into the text. Lines end at LF, CRLF or CR. */
export function lineTable(text: string): (offset: number) => Place {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
