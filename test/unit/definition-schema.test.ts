import { expect, test } from "vitest";

import { findingsOf, schemasFrom } from "../support/definition.ts";

const conversions = [
  ["2.0", { type: "string", format: "date" }, { type: "string", format: "date" }],
  ["2.0", { type: "string", "x-nullable": true }, { type: ["string", "null"] }],
  [
    "2.0",
    { type: "object", discriminator: "kind" },
    { type: "object", discriminator: { propertyName: "kind", mapping: {} } },
  ],
  ["3.0.4", { type: "string", nullable: true }, { type: ["string", "null"] }],
  ["3.0.4", { type: "string", nullable: false }, { type: "string" }],
  ["3.0.4", { nullable: true }, {}],
  [
    "3.0.4",
    { type: "string", nullable: true, enum: ["a", null] },
    { type: ["string", "null"], enum: ["a", null] },
  ],
  [
    "3.0.4",
    { type: "number", minimum: 1, exclusiveMinimum: true },
    { type: "number", exclusiveMinimum: 1 },
  ],
  [
    "3.0.4",
    { type: "number", maximum: 9, exclusiveMaximum: true, minimum: 1, exclusiveMinimum: false },
    { type: "number", exclusiveMaximum: 9, minimum: 1 },
  ],
  ["3.0.4", { type: "number", exclusiveMinimum: true }, { type: "number" }],
  ["3.0.4", { type: "string", example: "a" }, { type: "string", examples: ["a"] }],
  ["3.0.4", { type: "boolean", example: false }, { type: "boolean", examples: [false] }],
  [
    "3.0.4",
    { type: "object", description: "d", title: "t", externalDocs: { url: "u" } },
    { type: "object" },
  ],
  [
    "3.0.4",
    { type: "string", "x-faker": "name", readOnly: true },
    { type: "string", "x-faker": "name", readOnly: true },
  ],
  ["3.0.4", { type: "object", xml: { name: "pet" } }, { type: "object", xml: { name: "pet" } }],
  [
    "3.0.4",
    { type: "object", additionalProperties: false, properties: { example: { type: "string" } } },
    { type: "object", additionalProperties: false, properties: { example: { type: "string" } } },
  ],
  ["3.1.1", { type: ["string", "null"], maxLength: 3 }, { type: ["string", "null"], maxLength: 3 }],
  [
    "3.1.1",
    { exclusiveMinimum: 0, exclusiveMaximum: 9 },
    { exclusiveMinimum: 0, exclusiveMaximum: 9 },
  ],
  ["3.1.1", { type: "string", nullable: true }, { type: "string" }],
  ["3.1.1", { type: "string", examples: ["a"], example: "b" }, { type: "string", examples: ["a"] }],
  [
    "3.1.1",
    { const: { $ref: "data" }, default: { $ref: "data" } },
    { const: { $ref: "data" }, default: { $ref: "data" } },
  ],
  [
    "3.1.1",
    { items: [{ type: "string" }], additionalItems: false },
    { prefixItems: [{ type: "string" }], items: false },
  ],
  ["3.1.1", { $defs: { a: {} }, $comment: "c", type: "integer" }, { type: "integer" }],
  [
    "3.1.1",
    { if: { type: "string" }, else: { minLength: 1 } },
    { if: { type: "string" }, else: { minLength: 1 } },
  ],
  [
    "3.1.1",
    { unevaluatedProperties: false, patternProperties: { "^x": true } },
    { unevaluatedProperties: false, patternProperties: { "^x": true } },
  ],
] as const;

/** One document for all rows of a version: checking a document takes a tenth of a second. */
const converted = Object.fromEntries(
  await Promise.all(
    ["2.0", "3.0.4", "3.1.1"].map(async (version) => {
      const schemas = conversions.map(([of, schema], row): [string, object] => [
        `S${row}`,
        of === version ? schema : {},
      ]);
      return [version, await schemasFrom(version, Object.fromEntries(schemas))] as const;
    }),
  ),
);

test.for(conversions.map((row, index) => [...row, `S${index}`] as const))(
  "a schema of %s, %j, becomes %j",
  ([version, , expected, name]) => {
    expect(converted[version]?.[name]).toEqual(expected);
  },
);

test("nullable beside allOf means: or null", async () => {
  const schema = { nullable: true, readOnly: true, allOf: [{ type: "object" }] };
  const { S } = await schemasFrom("3.0.4", { S: schema });
  expect(S).toEqual({
    readOnly: true,
    anyOf: [{ allOf: [{ type: "object" }] }, { type: "null" }],
  });
});

test("nullable without null in the enum is told, and null stays forbidden", async () => {
  const components = { schemas: { S: { type: "string", nullable: true, enum: ["a"] } } };
  const content = { "application/json": { schema: { $ref: "#/components/schemas/S" } } };
  const paths = { "/p": { get: { responses: { "200": { description: "d", content } } } } };
  expect(await findingsOf({ paths, components })).toEqual([
    "warning nullable-ignored /components/schemas/S",
  ]);
});

test.for([
  ["2.0", { type: "string" }],
  ["3.0.4", { type: "string" }],
] as const)("%s ignores what stands beside a reference", async ([version, expected]) => {
  const prefix = version === "2.0" ? "#/definitions" : "#/components/schemas";
  const schema = { properties: { a: { $ref: `${prefix}/T`, minLength: 3 } } };
  const compiled = await schemasFrom(version, { S: schema, T: { type: "string" } });
  expect(compiled["S"]).toEqual({ properties: { a: { $ref: "#/$defs/T" } } });
  expect(compiled["T"]).toEqual(expected);
});

test("3.1 keeps what stands beside a reference", async () => {
  const schemas = await schemasFrom("3.1.1", {
    S: { $ref: "#/components/schemas/T", required: ["b"] },
    T: { type: "object" },
  });
  expect(schemas["S"]).toEqual({ $ref: "#/$defs/T", required: ["b"] });
});

test("a schema that only refers has no id of its own", async () => {
  const schemas = await schemasFrom("3.1.1", {
    S: { $ref: "#/components/schemas/T", description: "the same" },
    T: { type: "object" },
  });
  expect(Object.keys(schemas)).toEqual(["T"]);
});

test("recursion stays finite", async () => {
  const schemas = await schemasFrom("3.0.4", {
    S: { type: "object", properties: { next: { $ref: "#/components/schemas/S" } } },
  });
  expect(schemas).toEqual({
    S: { type: "object", properties: { next: { $ref: "#/$defs/S" } } },
  });
});

test("components keep plain names, everything else is numbered", async () => {
  const schemas = await schemasFrom("3.1.1", {
    S: {
      properties: {
        a: { $ref: "#/components/schemas/a%20b" },
        n: { $ref: "#/components/schemas/1" },
      },
    },
    "a b": { type: "string", properties: { $ref: { type: "string" } } },
    "1": { type: "null" },
  });
  expect(schemas["S"]).toEqual({
    properties: { a: { $ref: "#/$defs/2" }, n: { $ref: "#/$defs/1" } },
  });
  expect(schemas["1"]).toEqual({ type: "null" });
  expect(schemas["2"]).toMatchObject({ type: "string" });
});

test("values of a discriminator lead to ids: explicit, of branches, of schemas that extend", async () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const schemas = await schemasFrom("3.0.4", {
    S: {
      oneOf: [ref("Cat"), ref("Dog"), ref("Pet")],
      discriminator: {
        propertyName: "kind",
        mapping: { miau: "Cat", wuff: "#/components/schemas/Dog" },
      },
    },
    Cat: { type: "object" },
    Dog: { type: "object" },
    Pet: { type: "object", discriminator: { propertyName: "kind" } },
    Fish: { allOf: [ref("Pet"), { type: "object" }] },
  });
  expect(schemas["S"]).toMatchObject({
    discriminator: {
      propertyName: "kind",
      mapping: { miau: "#/$defs/Cat", wuff: "#/$defs/Dog", Pet: "#/$defs/Pet" },
    },
  });
  expect(schemas["Pet"]).toMatchObject({ discriminator: { mapping: { Fish: "#/$defs/Fish" } } });
});

test.for([
  ["pattern", "(?<", "invalid-pattern"],
  ["pattern", "(?i)a", "invalid-pattern"],
  ["pattern", String.raw`a\_b`, "pattern-not-unicode"],
  ["pattern", 1, "invalid-keyword"],
  ["minLength", -1, "invalid-keyword"],
  ["multipleOf", 0, "invalid-keyword"],
  ["type", "strng", "invalid-keyword"],
  ["type", ["string", "any"], "invalid-keyword"],
  ["required", true, "invalid-keyword"],
  ["properties", [], "invalid-keyword"],
  ["items", 1, "invalid-keyword"],
  ["enum", "a", "invalid-keyword"],
] as const)(
  "in 3.1, where the standard's schema does not look, %s %j is found",
  async ([keyword, value, code]) => {
    const content = { "application/json": { schema: { [keyword]: value } } };
    const paths = { "/p": { get: { responses: { "200": { description: "d", content } } } } };
    const pointer = `/paths/~1p/get/responses/200/content/application~1json/schema/${keyword}`;
    const found = await findingsOf({ openapi: "3.1.1", paths });
    expect(found.map((finding) => finding.replace(/^\w+ /, ""))).toContainEqual(
      expect.stringContaining(`${code} ${pointer}`),
    );
  },
);

test("a schema that is itself without end is refused", async () => {
  const S = { allOf: [{ $ref: "#/components/schemas/S" }] };
  const content = { "application/json": { schema: { $ref: "#/components/schemas/S" } } };
  const paths = { "/p": { get: { responses: { "200": { description: "d", content } } } } };
  expect(await findingsOf({ paths, components: { schemas: { S } } })).toEqual([
    "error invalid-schema /components/schemas/S",
  ]);
});
