import { describe, expect, test } from "vitest";
import type { Schema } from "../../lib/compiled/compiled.ts";
import { shapeOf } from "../../lib/schema/shape.ts";

const schemas: Record<string, Schema> = {
  count: { type: "integer", default: 3 },
  names: { type: "array", items: { type: "string" } },
  pet: { allOf: [{ properties: { name: { type: "string" } } }, { type: "object", additionalProperties: { $ref: "#/$defs/count" } }] },
  loose: { properties: { name: { minLength: 1 } } },
}; // oxfmt-ignore

const types = (schema: Schema | string): string =>
  [...shapeOf(schemas, schema).types].sort().join(" ");

describe("the types that a schema allows", () => {
  const rows: readonly (readonly [string, Schema | string, string])[] = [
    ["all where nothing is said", {}, "array boolean integer null number object string"],
    ["all for true", true, "array boolean integer null number object string"],
    ["none for false", false, ""],
    ["the one that is named", { type: "string" }, "string"],
    ["integers with numbers", { type: "number" }, "integer number"],
    ["integers alone", { type: "integer" }, "integer"],
    ["those of a list", { type: ["string", "null"] }, "null string"],
    ["those of the values of enum", { enum: [1, "a", null] }, "integer null string"],
    ["that of const", { const: 1.5 }, "number"],
    ["through $ref", { $ref: "#/$defs/count" }, "integer"],
    ["by id", "count", "integer"],
    ["all for an id that is not there", "gone", "array boolean integer null number object string"],
    ["all for a reference that leads nowhere", { $ref: "#/$defs/gone" }, "array boolean integer null number object string"],
    ["what all parts of allOf allow", { allOf: [{ type: ["string", "integer"] }, { type: "number" }] }, "integer"],
    ["what any branch of anyOf allows", { anyOf: [{ type: "string" }, { $ref: "#/$defs/count" }] }, "integer string"],
    ["what any branch of oneOf allows", { oneOf: [{ type: "string" }, { type: "null" }] }, "null string"],
    ["narrowed outside of a union", { type: "string", oneOf: [{ type: "string" }, { type: "null" }] }, "string"],
  ]; // oxfmt-ignore

  test.for(rows)("%s", ([, schema, expected]) => {
    expect(types(schema)).toBe(expected);
  });
});

describe("the schemas of members", () => {
  test("a property is found in a part of allOf, through a reference", () => {
    expect(shapeOf(schemas, { $ref: "#/$defs/pet" }).property("name")).toEqual({ type: "string" });
    expect(shapeOf(schemas, "pet").property("age")).toBeUndefined();
  });

  test("a name that every object inherits is no property", () => {
    expect(shapeOf(schemas, "pet").property("constructor")).toBeUndefined();
  });

  test("what several parts say of a property is said together", () => {
    const shape = shapeOf(schemas, { allOf: [{ $ref: "#/$defs/pet" }, { $ref: "#/$defs/loose" }] });
    expect(shape.property("name")).toEqual({ allOf: [{ type: "string" }, { minLength: 1 }] });
  });

  test("what branches say of a property is a choice", () => {
    const shape = shapeOf(schemas, { oneOf: [{ $ref: "#/$defs/pet" }, { $ref: "#/$defs/loose" }] });
    expect(shape.property("name")).toEqual({ anyOf: [{ type: "string" }, { minLength: 1 }] });
  });

  test("a property may be declared by a pattern", () => {
    const shape = shapeOf(schemas, { patternProperties: { "^x-": { type: "integer" } } });
    expect(shape.property("x-a")).toEqual({ type: "integer" });
    expect(shape.property("a")).toBeUndefined();
  });

  test("further properties have the schema of additionalProperties", () => {
    expect(shapeOf(schemas, "pet").additional).toEqual({ $ref: "#/$defs/count" });
    expect(shapeOf(schemas, { additionalProperties: true }).additional).toBeUndefined();
  });

  test("items have their own schema, then that of the rest", () => {
    const shape = shapeOf(schemas, {
      prefixItems: [{ type: "string" }],
      items: { type: "integer" },
    });
    expect([0, 1, 7].map((index) => shape.items(index))).toEqual([
      { type: "string" },
      { type: "integer" },
      { type: "integer" },
    ]);
    expect(shapeOf(schemas, "names").items(3)).toEqual({ type: "string" });
    expect(shapeOf(schemas, {}).items(0)).toBeUndefined();
  });
});

describe("the default", () => {
  test("is found through a reference, the nearest first", () => {
    expect(shapeOf(schemas, { $ref: "#/$defs/count" })).toMatchObject({
      default: 3,
      hasDefault: true,
    });
    expect(shapeOf(schemas, { $ref: "#/$defs/count", default: 4 })).toMatchObject({
      default: 4,
      hasDefault: true,
    });
  });

  test("may be null, or not be there", () => {
    expect(shapeOf(schemas, { default: null })).toMatchObject({ default: null, hasDefault: true });
    expect(shapeOf(schemas, {}).hasDefault).toBe(false);
  });
});
