import type { Example, Pairs, SchemaId } from "../compiled/compiled.ts";

/** Answers values that fit a schema as a client may send them; undefined ids fit anything. */
export type Make = (id: SchemaId | undefined) => unknown;

/** Answers the JSON of a value. */
export type ToJson = (value: unknown) => string;

/** Answers the first value among examples, undefined where there is none; one that lies outside the document is none. */
export function firstValue(examples: Pairs<Example>): { value: unknown } | undefined {
  for (const [, example] of examples) if ("value" in example) return example;
  return undefined;
}
