import { describe, expect, test } from "vitest";
import type { MadeBody, Schema } from "../../lib/compiled/compiled.ts";
import { makeBody } from "../../lib/schema/generate.ts";
import type { BodyOptions, Wish } from "../../lib/schema/generate.ts";
import { createValidators } from "../../lib/schema/validator.ts";

const ref = (id: string): Schema => ({ $ref: `#/$defs/${id}` });

function make(
  schema: Schema,
  others: Record<string, Schema> = {},
  options: Partial<BodyOptions> = {},
): MadeBody | undefined {
  const schemas = { ...others, it: schema };
  const direction = options.direction ?? "response";
  return makeBody(schemas, "it", {
    direction,
    validate: createValidators(schemas)[direction]("it"),
    ...options,
  });
}

describe("the static body", () => {
  const rows: readonly (readonly [string, Schema, unknown])[] = [
    ["const", { const: { a: 1 } }, { a: 1 }],
    ["the first of examples", { type: "string", examples: ["a", "b"], example: "c" }, "a"],
    ["example", { type: "integer", example: 7, default: 8 }, 7],
    ["default", { type: "integer", default: 8, enum: [9, 8] }, 8],
    ["a default of null", { type: ["string", "null"], default: null }, null],
    ["an example that is false", { type: "boolean", example: false }, false],
    ["the first value of enum", { enum: ["x", "y"] }, "x"],
    ["a value for the format", { type: "string", format: "date" }, "2024-05-17"],
    ["a value for a format that only its name tells", { type: "string", format: "phone" }, "+1 202 555 0143"],
    ["values for names", { type: "object", properties: { id: { type: "integer" }, email: { type: "string" }, firstName: { type: "string" }, last_name: { type: "string" }, price: { type: "number" }, latitude: { type: "number" } } },
      { id: 1, email: "ada@example.com", firstName: "Ada", last_name: "Lovelace", price: 9.99, latitude: 59.33 }],
    ["a name that is too long for its schema is cut", { type: "object", properties: { email: { type: "string", maxLength: 3 } } }, { email: "ada" }],
    ["the property's example", { type: "object", properties: { a: { type: "string", example: "A" } } }, { a: "A" }],
    ["the object's example before those of its properties", { type: "object", example: { a: "B" }, properties: { a: { type: "string", example: "A" } } }, { a: "B" }],
    ["an item that is called like its list", { type: "object", properties: { emails: { type: "array", items: { type: "string" } }, companies: { type: "array", items: { type: "string" } } } }, { emails: ["ada@example.com"], companies: ["Example Ltd"] }],
    ["one item", { type: "array", items: { type: "string" } }, ["string"]],
    ["an item for each place", { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], items: false }, ["string", 1]],
    ["an item for contains", { type: "array", items: { type: "integer" }, contains: { const: 5 }, minContains: 2, minItems: 3 }, [5, 5, 1]],
    ["items that differ", { type: "array", items: { type: "integer" }, uniqueItems: true, minItems: 3 }, [1, 2, 3]],
    ["a member under a name that nobody declared", { type: "object", additionalProperties: { type: "integer" } }, { key: 1 }],
    ["properties in the order of the schema", { type: "object", required: ["b"], properties: { a: { const: 1 }, b: { const: 2 } } }, { a: 1, b: 2 }],
    ["no more properties than are allowed, the required first", { type: "object", required: ["c"], maxProperties: 2, properties: { a: { const: 1 }, b: { const: 2 }, c: { const: 3 } } }, { a: 1, c: 3 }],
    ["a null only where nothing else is allowed", { anyOf: [{ type: "null" }, { type: "string" }] }, "string"],
    ["all parts of allOf together", { allOf: [{ type: "object", properties: { a: { type: "integer", minimum: 5 } } }, { properties: { a: { maximum: 5 }, b: { const: 1 } }, required: ["b"] }] }, { a: 5, b: 1 }],
    ["the branch of oneOf that no other fits as well", { oneOf: [{ type: "integer" }, { type: "number" }] }, 1.02],
    ["one of two properties that exclude each other", { type: "object", properties: { a: { const: 1 }, b: { const: 2 } }, oneOf: [{ required: ["a"] }, { required: ["b"] }] }, { a: 1 }],
    ["none of what not forbids", { type: "string", enum: ["a", "b"], not: { const: "a" } }, "b"],
    ["no type that not forbids", { type: ["string", "integer"], not: { type: "string" } }, 1],
    ["what comes along with a property", { type: "object", properties: { a: { const: 1 } }, dependentRequired: { a: ["b"] } }, { a: 1, b: "string" }],
    ["integer multipleOf 5 from 7 to 14 (specmatic/specmatic#2376)", { type: "object", required: ["n"], properties: { n: { type: "integer", multipleOf: 5, minimum: 7, maximum: 14 } } }, { n: 10 }],
    ["a multiple of a decimal", { type: "number", multipleOf: 0.1, minimum: 0.25 }, 1],
    ["a number between two decimals", { type: "number", exclusiveMinimum: 0.1, exclusiveMaximum: 0.2 }, 0.19],
    ["below an upper bound", { type: "integer", maximum: -3 }, -3],
    ["a discriminator's key without a union", { type: "object", required: ["kind"], discriminator: { propertyName: "kind", mapping: { special: "#/$defs/it" } }, properties: { kind: { type: "string" } } }, { kind: "special" }],
    ["a text that matches", { type: "string", pattern: "^[A-Z]{2}[0-9]{3}$" }, "AB123"],
    ["a name's value where it matches", { type: "object", properties: { country_code: { type: "string", pattern: "^[A-Z]{2}$" } } }, { country_code: "SE" }],
    ["nothing that only the other side sends", { type: "object", required: ["secret"], properties: { a: { const: 1 }, secret: { type: "string", writeOnly: true } } }, { a: 1 }],
    ["an email with at most 5 characters", { type: "string", format: "email", maxLength: 5 }, "a@b"],
  ]; // oxfmt-ignore

  test.for(rows)("%s", ([, schema, expected]) => {
    expect(make(schema)).toEqual({ value: expected });
  });

  test("names that every object inherits are names like others", () => {
    const properties = JSON.parse(
      '{"constructor": {"const": 1}, "__proto__": {"const": 2}}',
    ) as Schema;
    expect(JSON.stringify(make({ type: "object", properties })?.value)).toBe(
      '{"constructor":1,"__proto__":2}',
    );
  });

  test("a wrong example below the root gives way to a value that fits", () => {
    const schema: Schema = {
      type: "object",
      properties: {
        on: { type: "string", format: "date", example: "17/5/2024" },
        at: { type: "object", example: { x: "1" }, properties: { x: { type: "integer" } } },
      },
    };
    expect(make(schema)).toEqual({ value: { on: "2024-05-17", at: { x: 1 } } });
  });

  test("the schema's own example goes out as written, with what is wrong", () => {
    expect(make({ type: "object", required: ["b"], example: { a: 1 } })).toEqual({
      value: { a: 1 },
      violations: [
        {
          in: "response",
          name: "",
          pointer: "",
          message: 'must have the property "b"',
          keyword: "required",
        },
      ],
    });
  });

  test("a request has what is writeOnly and not what is readOnly", () => {
    const schema: Schema = {
      type: "object",
      required: ["id", "secret"],
      properties: {
        id: { type: "integer", readOnly: true },
        secret: { type: "string", writeOnly: true },
      },
    };
    expect(make(schema, {}, { direction: "request" })).toEqual({
      value: { secret: "example-token" },
    });
    expect(make(schema)).toEqual({ value: { id: 1 } });
  });
});

describe("a schema that contains itself", () => {
  const person: Schema = {
    type: "object",
    required: ["name", "friends"],
    properties: {
      name: { type: "string" },
      friends: { type: "array", items: ref("it") },
      friend: ref("it"),
    },
  };

  const rows: readonly (readonly [string, Schema, Record<string, Schema>, unknown])[] = [
    ["an optional one is left out, never null, and a list is empty (Redocly/openapi-sampler#186)", person, {}, { name: "Example", friends: [] }],
    ["an optional one is left out (stoplightio/prism#1456)", { type: "object", required: ["v"], properties: { v: { type: "integer" }, next: ref("it") } }, {}, { v: 1 }],
    ["a required one ends with the smallest value", { type: "object", required: ["b"], properties: { b: ref("b") } }, { b: { type: "object", required: ["a"], properties: { a: { anyOf: [ref("it"), { type: "null" }] } } } }, { b: { a: null } }],
    ["a list that must have items ends in another branch", { oneOf: [{ type: "array", minItems: 1, items: ref("it") }, { type: "integer" }] }, {}, [1]],
    ["through allOf and a map", { allOf: [{ type: "object", properties: { id: { const: 1 } } }, { properties: { children: { type: "object", additionalProperties: ref("it") } } }] }, {}, { id: 1, children: {} }],
  ]; // oxfmt-ignore

  test.for(rows)("%s", ([, schema, others, expected]) => {
    expect(make(schema, others)).toEqual({ value: expected });
  });
});

describe("there is no body", () => {
  test.for<[string, Schema]>([
    ["of false", false],
    [
      "of a property that must be there and cannot",
      { type: "object", required: ["a"], properties: { a: false } },
    ],
    [
      "of what must contain itself",
      { type: "object", required: ["a"], properties: { a: ref("it") } },
    ],
    ["of what must have itself as an item", { type: "array", minItems: 1, items: ref("it") }],
    ["of types that exclude each other", { type: "string", allOf: [{ type: "integer" }] }],
    ["of values that exclude each other", { const: 1, enum: [2] }],
    ["of bounds that exclude each other", { type: "integer", minimum: 2, maximum: 1 }],
    ["of lengths that exclude each other", { type: "string", minLength: 2, maxLength: 1 }],
  ])("%s", ([, schema]) => {
    expect(make(schema)).toBeUndefined();
  });

  test("that fits, then the best one comes with what is wrong", () => {
    const made = make({
      type: "array",
      items: { enum: ["a", "b"] },
      uniqueItems: true,
      minItems: 1,
      contains: { const: "c" },
    });
    const other = make({
      type: "object",
      properties: { a: { type: "string" } },
      not: { properties: { a: { type: "string" } } },
    });
    expect(made).toBeUndefined();
    expect(other?.violations).toMatchObject([
      { in: "response", name: "", pointer: "", keyword: "not" },
    ]);
  });
});

describe("discriminators", () => {
  const mapping = { cat: "#/$defs/Cat", dog: "#/$defs/Dog" };
  const animals: Record<string, Schema> = {
    Pet: { type: "object", required: ["kind"], discriminator: { propertyName: "kind", mapping }, properties: { kind: { type: "string" } } },
    Cat: { allOf: [ref("Pet"), { type: "object", required: ["lives"], properties: { lives: { type: "integer" } } }] },
    Dog: { allOf: [ref("Pet"), { type: "object", required: ["barks"], properties: { barks: { type: "boolean" } } }] },
  }; // oxfmt-ignore

  test.for<[string, Schema, unknown]>([
    [
      "the key of the branch that was chosen",
      { oneOf: [ref("Dog"), ref("Cat")], discriminator: { propertyName: "kind", mapping } },
      { kind: "dog", barks: true },
    ],
    ["the key of the schema that extends another", ref("Cat"), { kind: "cat", lives: 1 }],
    ["the schema that is extended gets a key that exists", ref("Pet"), { kind: "cat" }],
    [
      "in a list, item by item",
      {
        type: "array",
        items: {
          anyOf: [ref("Cat"), ref("Dog")],
          discriminator: { propertyName: "kind", mapping },
        },
      },
      [{ kind: "cat", lives: 1 }],
    ],
  ])("%s", ([, schema, expected]) => {
    expect(make(schema, animals)).toEqual({ value: expected });
  });
});

describe("a seeded body", () => {
  const user: Schema = {
    type: "object",
    required: ["id"],
    properties: { id: { type: "integer" }, email: { type: "string", format: "email" }, name: { type: "string", example: "Zed" }, tags: { type: "array", items: { enum: ["a", "b", "c"] } }, on: { type: "boolean" }, price: { type: "number", minimum: 1, maximum: 2 } },
  }; // oxfmt-ignore

  test("the same seed gives the same bytes, another one other bytes", () => {
    const texts = ["a", "a", "b", "c", "d"].map((seed) => JSON.stringify(make(user, {}, { seed })));
    expect(texts[0]).toBe(texts[1]);
    expect(new Set(texts).size).toBe(4);
  });

  test("fits and does not repeat the schema's examples", () => {
    for (const seed of ["1", "2", "3", "4", "5"]) {
      const made = make(user, {}, { seed });
      expect(made?.violations).toBeUndefined();
      expect(made?.value).not.toMatchObject({ name: "Zed" });
    }
  });

  test("takes every branch of a union at times", () => {
    const union: Schema = { oneOf: [{ const: "a" }, { const: "b" }, { const: "c" }] };
    const values = Array.from(
      { length: 30 },
      (_, seed) => make(union, {}, { seed: String(seed) })?.value,
    );
    expect(new Set(values)).toEqual(new Set(["a", "b", "c"]));
  });

  test("stays within 10 characters where null is allowed too (json-schema-faker/json-schema-faker#467)", () => {
    const schema: Schema = { type: ["string", "null"], maxLength: 10 };
    for (let seed = 0; seed < 20; seed++) {
      const made = make(schema, {}, { seed: String(seed) });
      expect(made?.violations).toBeUndefined();
    }
  });

  test("takes lifelike values from where they are, if they fit", () => {
    const wishes: Wish[] = [];
    const schema: Schema = {
      type: "object",
      properties: {
        name: { type: "string", "x-faker": "person.fullName" },
        age: { type: "integer", maximum: 10 },
        at: { type: "string", format: "date" },
        on: { type: "boolean" },
      },
    };
    const fake = (wish: Wish): unknown => {
      wishes.push(wish);
      return { name: "Fay Ker", age: 99, at: 5 }[wish.name];
    };
    const made = make(schema, {}, { seed: "s", fake });
    expect(made?.violations).toBeUndefined();
    expect(made?.value).toMatchObject({ name: "Fay Ker" });
    expect(wishes).toContainEqual({
      name: "name",
      type: "string",
      faker: "person.fullName",
      seed: expect.any(Number) as number,
    });
    expect(wishes).toContainEqual({
      name: "at",
      type: "string",
      format: "date",
      seed: expect.any(Number) as number,
    });
    expect(make(schema, {}, { fake })?.value).not.toMatchObject({ name: "Fay Ker" });
  });
});

test("beyond a number of values only what is required is made", () => {
  const wide: Schema = {
    type: "object",
    required: ["r"],
    properties: Object.fromEntries(
      ["r", ...Array.from({ length: 300 }, (_, index) => `p${index}`)].map((name) => [
        name,
        { type: "integer" },
      ]),
    ),
  };
  expect(Object.keys(make(wide)?.value as object)).toHaveLength(301);
  expect(make(wide, {}, { nodes: 100 })).toEqual({ value: { r: 1 } });
});
