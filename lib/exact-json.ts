import type { Compiled } from "./compiled/compiled.ts";

declare global {
  interface JSON {
    /** ECMAScript 2026 (JSON.parse source text access), in Node since 21: what `stringify` writes as it stands. */
    rawJSON(text: string): object;
  }
}

/** The numbers of a document that a double does not hold, by what JavaScript would write for them. */
export type ExactNumbers = Compiled["numbers"];

/** Answers the JSON text of a value, its numbers as the document has them; "null" for what is no JSON. Pure. */
export function exactJson(value: unknown, numbers: ExactNumbers, indent?: number): string {
  const replacer =
    numbers === undefined
      ? undefined
      : (_: string, item: unknown): unknown => {
          const text = typeof item === "number" ? numbers[String(item)] : undefined;
          return text === undefined ? item : JSON.rawJSON(text);
        };
  return JSON.stringify(value, replacer, indent) ?? "null";
}
