import { describe, expect, test } from "vitest";
import type { Schema } from "../../lib/compiled/compiled.ts";
import { createValidators } from "../../lib/schema/validator.ts";
import type { SchemaViolation } from "../../lib/schema/validator.ts";

const ref = (id: string): Schema => ({ $ref: `#/$defs/${id}` });

function violations(
  schema: Schema,
  value: unknown,
  others: Record<string, Schema> = {},
): readonly SchemaViolation[] {
  return createValidators({ ...others, it: schema }).request("it")(value);
}

const sentence = ({ pointer, message }: SchemaViolation): string => `${pointer} ${message}`.trim();

describe("a violation says where, what was expected and what was found", () => {
  const rows: readonly (readonly [Schema, unknown, string])[] = [
    [{ type: "integer" }, "x", 'must be an integer, found "x"'],
    [{ type: ["string", "null"] }, 1, "must be a string or null, found 1"],
    [{ type: "object" }, [1, 2], "must be an object, found an array of 2 items"],
    [{ type: "boolean" }, { a: 1 }, "must be true or false, found an object"],
    [{ enum: ["a", "b"] }, "c", 'must be one of "a", "b", found "c"'],
    [{ const: 5 }, 6, "must be 5, found 6"],
    [{ minimum: 1 }, 0, "must be at least 1, found 0"],
    [{ exclusiveMinimum: 0 }, 0, "must be more than 0, found 0"],
    [{ maximum: 1 }, 2, "must be at most 1, found 2"],
    [{ exclusiveMaximum: 100 }, 100, "must be less than 100, found 100"],
    [{ multipleOf: 5 }, 7, "must be a multiple of 5, found 7"],
    [{ minLength: 2 }, "a", 'must have at least 2 characters, found "a"'],
    [{ maxLength: 1 }, "ab", 'must have at most 1 character, found "ab"'],
    [{ pattern: "^a$" }, "b", 'must match the pattern ^a$, found "b"'],
    [{ format: "uuid" }, "x", 'must have the format uuid, found "x"'],
    [{ required: ["name"] }, {}, 'must have the property "name"'],
    [{ dependentRequired: { a: ["b"] } }, { a: 1 }, 'must have the property "b", because it has "a"'],
    [{ properties: { a: {} }, additionalProperties: false }, { b: 1 }, 'must not have the property "b"'],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, 'must not have a property named "ab"'],
    [{ minProperties: 1 }, {}, "must have at least 1 property, found 0"],
    [{ maxProperties: 1 }, { a: 1, b: 2 }, "must have at most 1 property, found 2"],
    [{ minItems: 2 }, [1], "must have at least 2 items, found 1"],
    [{ maxItems: 1 }, [1, 2], "must have at most 1 item, found 2"],
    [{ uniqueItems: true }, [{ a: 1, b: 2 }, { b: 2, a: 1 }], "must not have an item twice, found an object"],
    [{ prefixItems: [{}], items: false }, [1, 2], "must have at most 1 item, found 2"],
    [{ contains: { const: 1 } }, [2], "must have at least 1 item that fit contains"],
    [{ not: { type: "string" } }, "a", 'must not fit the schema of not, found "a"'],
    [{ oneOf: [{ type: "number" }, { type: "integer" }] }, 1, "must fit exactly one of 2 schemas of oneOf, fits those at 0 and 1"],
    [{ properties: { "a/b": { items: { type: "string" } } } }, { "a/b": ["x", 1] }, "/a~1b/1 must be a string, found 1"],
    [{ allOf: [{ properties: { a: { type: "string" } } }], unevaluatedProperties: false }, { a: "", b: 1 }, 'must not have the property "b"'],
    [false, 1, "must not be there, found 1"],
  ]; // oxfmt-ignore

  test.for(rows)("%j refuses %j: %s", ([schema, value, expected]) => {
    expect(violations(schema, value).map(sentence)).toContain(expected);
  });

  test("all that is wrong is found, each once", () => {
    const schema: Schema = {
      required: ["b"],
      properties: { a: { type: "string", minLength: 1 }, b: {} },
    };
    expect(violations({ allOf: [schema, schema] }, { a: 1 }).map(sentence)).toEqual([
      'must have the property "b"',
      "/a must be a string, found 1",
    ]);
  });

  test("a null that is one choice among others is not asked for", () => {
    expect(
      violations({ anyOf: [{ type: "integer" }, { type: "null" }] }, "x").map(sentence),
    ).toEqual([
      'must be an integer, found "x"',
      'must fit at least one of 2 schemas of anyOf, found "x"',
    ]);
  });

  test("a long list of violations ends", () => {
    const value = Array.from({ length: 5000 }, () => "x");
    const found = violations({ type: "array", items: { type: "integer" } }, value);
    expect(found.length).toBeGreaterThanOrEqual(100);
    expect(found.length).toBeLessThanOrEqual(101);
  });

  test("a value that is found is shown short", () => {
    const [first] = violations({ type: "integer" }, "x".repeat(10_000));
    expect(first?.message.length).toBeLessThan(100);
  });
});

describe("a value fits", () => {
  const rows: readonly (readonly [string, Schema, unknown])[] = [
    ["an unknown format asserts nothing", { format: "unheard-of" }, "x"],
    ["a format says nothing of another type", { format: "uuid" }, 1],
    ["a number without fraction is an integer", { type: "integer" }, 1.0],
    ["19.99 is a multiple of 0.01", { multipleOf: 0.01 }, 19.99],
    ["a very large number is a multiple as it is written", { multipleOf: 5 }, 2.5922842859069126e58],
    ["a very large number is a multiple of 1", { multipleOf: 1 }, 1e300],
    ["characters are code points", { maxLength: 1 }, "😀"],
    ["a name that every object inherits is not there", { not: { required: ["toString"] } }, {}],
    ["a pattern that only the older rules know", { pattern: String.raw`^[\w-\.]+\_$` }, "a-b_"],
    ["keywords beside $ref count, and this fits both", { ...(ref("other") as object), minimum: 2 }, 3],
    ["an annotation asserts nothing", { nullable: false, example: 1, discriminator: { propertyName: "x" }, xml: {}, deprecated: true, id: 5 }, null],
    ["1 and 1.0 are equal", { enum: [1.0] }, 1],
    ["-0 and 0 are equal", { const: 0 }, -0],
    ["members may come in any order", { const: { a: 1, b: [2] } }, { b: [2], a: 1 }],
    ["no items are unique", { uniqueItems: true }, []],
  ]; // oxfmt-ignore

  test.for(rows)("%s", ([, schema, value]) => {
    expect(violations(schema, value, { other: { minimum: 1 } })).toEqual([]);
  });

  test("keywords beside $ref count", () => {
    const others = { other: { properties: { a: { type: "string" } } } } as const;
    const schema: Schema = { $ref: "#/$defs/other", required: ["b"] };
    expect(violations(schema, {}, others).map(sentence)).toEqual(['must have the property "b"']);
    expect(violations(schema, { a: 1, b: 1 }, others).map(sentence)).toEqual([
      "/a must be a string, found 1",
    ]);
  });

  test("what a reference looked at is evaluated, also through recursion", () => {
    const schemas: Record<string, Schema> = {
      base: { properties: { a: {}, next: ref("it") } },
      it: { allOf: [ref("base")], unevaluatedProperties: false },
    };
    const validate = createValidators(schemas).request("it");
    expect(validate({ a: 1, next: { a: 1, next: {} } })).toEqual([]);
    expect(validate({ a: 1, next: { a: 1, next: { z: 1 } } }).map(sentence)).toEqual([
      '/next/next must not have the property "z"',
    ]);
  });
});

describe("the same schema is seen from two sides", () => {
  const pet: Schema = {
    type: "object",
    required: ["id", "name", "secret"],
    properties: { id: { type: "integer", readOnly: true }, name: { type: "string" }, secret: { type: "string", writeOnly: true } },
    additionalProperties: false,
  }; // oxfmt-ignore

  test("a request need not have what is readOnly, a response not what is writeOnly", () => {
    const validators = createValidators({ pet });
    expect(validators.request("pet")({ name: "x", secret: "s" })).toEqual([]);
    expect(validators.response("pet")({ name: "x", id: 1 })).toEqual([]);
    expect(validators.request("pet")({ id: 1, name: "x" }).map(sentence)).toEqual([
      'must have the property "secret"',
    ]);
    expect(validators.response("pet")({ name: "x", secret: "s" }).map(sentence)).toEqual([
      'must have the property "id"',
    ]);
  });

  test("what is readOnly may be sent", () => {
    expect(violations(pet, { id: 1, name: "x", secret: "s" })).toEqual([]);
    expect(violations(pet, { id: "x", name: "x", secret: "s" })).toHaveLength(1);
  });

  const readOnlyId: Schema = { properties: { id: { readOnly: true } } };
  const requiresId: Schema = { required: ["id"] };
  const fits: readonly (readonly [string, Schema, unknown])[] = [
    ["inside items", { items: { ...readOnlyId, ...requiresId } }, [{}]],
    ["in another part of allOf", { allOf: [readOnlyId, requiresId] }, {}],
    ["required outside, declared in a part", { allOf: [readOnlyId], ...requiresId }, {}],
    ["declared outside, required in a part", { allOf: [requiresId], ...readOnlyId }, {}],
    ["required behind a reference", { allOf: [ref("requires")], ...readOnlyId }, {}],
    ["required behind two references", { $ref: "#/$defs/requiresTwice", ...readOnlyId }, {}],
    ["declared behind a reference", { $ref: "#/$defs/readOnly", ...requiresId }, {}],
    ["the property's own schema behind a reference", { properties: { id: ref("readOnlyText") }, ...requiresId }, {}],
    ["in a branch of a union", { oneOf: [{ ...readOnlyId, ...requiresId }] }, {}],
    ["declared outside, required in a branch", { ...readOnlyId, anyOf: [requiresId, { required: ["x"] }] }, {}],
    ["asked for because of another", { ...readOnlyId, dependentRequired: { a: ["id"] } }, { a: 1 }],
  ]; // oxfmt-ignore
  const others: Record<string, Schema> = {
    requires: requiresId,
    requiresTwice: { allOf: [ref("requires")] },
    readOnly: readOnlyId,
    readOnlyText: { type: "string", readOnly: true },
  };

  test.for(fits)("a request does without a readOnly name: %s", ([, schema, value]) => {
    expect(violations(schema, value, others)).toEqual([]);
    expect(createValidators({ ...others, it: schema }).response("it")(value)).not.toEqual([]);
  });

  test("a reference is seen differently from each place", () => {
    const validators = createValidators({
      ...others,
      it: { properties: { a: { allOf: [ref("requires"), readOnlyId] }, b: ref("requires") } },
    });
    expect(validators.request("it")({ a: {}, b: {} }).map(sentence)).toEqual([
      '/b must have the property "id"',
    ]);
  });

  test("inside not and if every name counts", () => {
    expect(violations({ ...readOnlyId, not: requiresId }, {})).toEqual([]);
    expect(violations({ not: { ...readOnlyId, ...requiresId } }, {})).toEqual([]);
    const text = `{"if": ${JSON.stringify({ ...readOnlyId, ...requiresId })}, "then": {"required": ["x"]}}`;
    const conditional = JSON.parse(text) as Schema;
    expect(violations(conditional, {})).toEqual([]);
    expect(violations(conditional, { id: 1 })).toHaveLength(1);
  });

  test("what one branch of a union declares is no excuse in another", () => {
    const schema: Schema = {
      oneOf: [
        { ...readOnlyId, required: ["id", "a"] },
        { ...requiresId, properties: { id: {} } },
      ],
    };
    expect(violations(schema, {})).not.toEqual([]);
  });
});
