import type { Compilation } from "./compilation.ts";

/** What the compiler's process is asked: one text at a time. */
export interface ToChild {
  readonly job: number;
  readonly text: string;
}

/** What it says: once that it has loaded, then one answer for each text. */
export type FromChild = "ready" | { readonly job: number; readonly compilation: Compilation };
