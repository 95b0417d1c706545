import type { Charset } from "./charset.ts";

/** A regular expression as a tree. */
export type Node =
  | { readonly kind: "set"; readonly set: Charset }
  | { readonly kind: "sequence"; readonly parts: readonly Node[] }
  | { readonly kind: "choice"; readonly options: readonly Node[] }
  | { readonly kind: "repeat"; readonly node: Node; readonly min: number; readonly max: number }
  | { readonly kind: "group"; readonly node: Node; readonly name: string }
  | { readonly kind: "assertion"; readonly what: "start" | "end" | "boundary" | "inside" }
  | { readonly kind: "look"; readonly node: Node; readonly ahead: boolean; readonly negative: boolean }
  | { readonly kind: "reference"; readonly name: string }
  /** Flags inside the expression (`(?i:…)`): understood by the platform alone. */
  | { readonly kind: "flagged"; readonly node: Node }; // oxfmt-ignore
