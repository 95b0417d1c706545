import { expect, test } from "vitest";

import { createMaker } from "../../functions/mock/response/made.ts";
import type { Schema } from "../../lib/compiled/compiled.ts";
import { createValidators } from "../../lib/schema/validator.ts";
import { compiledOf } from "../support/compiled.ts";

/** A maker of one schema, and how often that schema was read. */
function makerOf(schema: Schema): { maker: ReturnType<typeof createMaker>; reads: () => number } {
  let reads = 0;
  const schemas = Object.defineProperty({}, "it", {
    enumerable: true,
    get: () => {
      reads += 1;
      return schema;
    },
  }) as Record<string, Schema>;
  const compiled = { ...compiledOf([]), schemas };
  return { maker: createMaker(compiled, createValidators(schemas)), reads: () => reads };
}

test.for<[string, Schema]>([
  ["nothing fits", false],
  [
    "all that fits is too large",
    {
      type: "array",
      minItems: 1_000_000,
      items: { type: "object", properties: { a: { type: "string", minLength: 1000 } } },
    },
  ],
  [
    "a list of what doubles at each level",
    {
      type: "array",
      minItems: 2,
      items: {
        type: "array",
        minItems: 4000,
        items: { type: "array", minItems: 4000, items: { $ref: "#/$defs/it" } },
      },
    },
  ],
])("where %s, that is found once", ([, schema]) => {
  const { maker, reads } = makerOf(schema);
  expect(maker.value("it")).toBeUndefined();
  const before = reads();
  for (const seed of [undefined, "a", "b"]) expect(maker.value("it", seed)).toBeUndefined();
  expect(reads()).toBe(before);
});

test("a seed alone finds out too", () => {
  const { maker, reads } = makerOf(false);
  expect(maker.value("it", "a")).toBeUndefined();
  const before = reads();
  expect(maker.value("it", "b")).toBeUndefined();
  expect(reads()).toBe(before);
});

test("what can be made differs by seed, and is the same for the same one", () => {
  const { maker } = makerOf({ type: "integer" });
  expect(maker.value("it", "a")).toEqual(maker.value("it", "a"));
  expect(maker.value("it", "a")).not.toEqual(maker.value("it", "b"));
});
