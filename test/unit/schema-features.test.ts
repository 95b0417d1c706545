import { Validator } from "@cfworker/json-schema";
import { describe, expect, test } from "vitest";
import type { Schema } from "../../lib/compiled/compiled.ts";
import { formatNames, formatOf } from "../../lib/schema/formats.ts";
import { makeBody } from "../../lib/schema/generate.ts";
import { createValidators } from "../../lib/schema/validator.ts";

const seeds = [undefined, "a", "b", "c"];

/** What is wrong with the bodies of a schema, says one of two validators. */
function faults(schema: Schema): unknown[] {
  const schemas = { it: schema };
  const validate = createValidators(schemas).response("it");
  const second = new Validator({ $ref: "#/$defs/it", $defs: schemas }, "2020-12");
  return seeds.flatMap((seed): unknown[] => {
    const options = {
      direction: "response",
      validate,
      ...(seed === undefined ? {} : { seed }),
    } as const;
    const made = makeBody(schemas, "it", options);
    if (made === undefined) return ["no body"];
    return [...(made.violations ?? []), ...second.validate(made.value).errors];
  });
}

const name = { type: "string" } as const;

/** One schema for each feature of JSON Schema 2020-12 that a body has to respect. */
const features: readonly (readonly [string, Schema])[] = [
  ["several types", { type: ["integer", "null"], minimum: 3 }],
  ["enum of several types", { enum: ["a", 1, null, { a: 1 }] }],
  ["enum narrowed by type", { enum: ["a", 1, null], type: "integer" }],
  ["const", { const: { a: [1, 2] } }],
  ["exclusive bounds", { type: "integer", exclusiveMinimum: 4, exclusiveMaximum: 6 }],
  ["narrow decimal bounds", { type: "number", minimum: 0.123, maximum: 0.124 }],
  ["bounds too narrow for any round number", { type: "number", exclusiveMinimum: 1, exclusiveMaximum: 1.000_000_000_1 }],
  ["very large bounds", { type: "number", minimum: 1e200 }],
  ["very small bounds", { type: "number", exclusiveMinimum: 0, maximum: 1e-200 }],
  ["negative bounds", { type: "integer", minimum: -10, maximum: -7 }],
  ["multipleOf with bounds", { type: "integer", multipleOf: 5, minimum: 7, maximum: 14 }],
  ["two divisors", { allOf: [{ type: "integer", multipleOf: 4 }, { multipleOf: 6 }], minimum: 13 }],
  ["multipleOf a decimal", { type: "number", multipleOf: 0.01, exclusiveMinimum: 19.98, maximum: 20 }],
  ["integer and multipleOf a decimal", { type: "integer", multipleOf: 2.5, minimum: 1 }],
  ["int32 below its bound", { type: "integer", format: "int32", minimum: 2_147_483_647 }],
  ["lengths", { type: "string", minLength: 3, maxLength: 3 }],
  ["a long text", { type: "string", minLength: 2000 }],
  ["pattern", { type: "string", pattern: "^[a-f0-9]{8}$" }],
  ["pattern with lengths", { type: "string", pattern: "^[a-z]+$", minLength: 20, maxLength: 22 }],
  ["two patterns", { allOf: [{ type: "string", pattern: "^[a-z0-9]+$" }, { pattern: "[0-9]{3}$" }] }],
  ["pattern with a look ahead", { type: "string", pattern: String.raw`^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])(?=.*[#?!]).{8,}$` }],
  ["pattern with a reference", { type: "string", pattern: String.raw`^(["'])[a-z]+\1$` }],
  ["format with pattern", { type: "string", format: "email", pattern: "@example[.]com$" }],
  ["items", { type: "array", items: { type: "integer" }, minItems: 4, maxItems: 4 }],
  ["unique booleans", { type: "array", items: { type: "boolean" }, minItems: 2, uniqueItems: true }],
  ["unique texts of a pattern", { type: "array", items: { type: "string", pattern: "^[ab]{2}$" }, minItems: 4, uniqueItems: true }],
  ["unique dates", { type: "array", items: { type: "string", format: "date" }, minItems: 10, uniqueItems: true }],
  ["unique numbers in a small range", { type: "array", items: { type: "integer", minimum: 1, maximum: 5 }, minItems: 5, uniqueItems: true }],
  ["unique lists", { type: "array", items: { type: "array", items: { type: "integer" }, minItems: 1 }, minItems: 3, uniqueItems: true }],
  ["prefixItems", { type: "array", prefixItems: [name, { type: "integer" }], items: false, minItems: 2 }],
  ["prefixItems and a rest", { type: "array", prefixItems: [name], items: { type: "integer" }, minItems: 4 }],
  ["contains", { type: "array", items: { type: "integer", maximum: 10 }, contains: { minimum: 9 }, minContains: 2 }],
  ["contains beside prefixItems", { type: "array", prefixItems: [name], contains: { const: 7 }, maxItems: 2 }],
  ["contains with maxContains", { type: "array", items: { enum: ["a", "b"] }, contains: { const: "b" }, maxContains: 1, minItems: 3 }],
  ["minContains 0", { type: "array", contains: false, minContains: 0 }],
  ["required without properties", { type: "object", required: ["a", "b"] }],
  ["required by name from a map", { type: "object", required: ["a"], additionalProperties: { type: "integer" } }],
  ["propertyNames", { type: "object", propertyNames: { pattern: "^[a-z]{3}$" }, minProperties: 3 }],
  ["propertyNames that refuse a declared one", { type: "object", properties: { Long: {}, a: name }, propertyNames: { maxLength: 1 } }],
  ["patternProperties", { type: "object", patternProperties: { "^x-": { type: "integer" } }, additionalProperties: false, minProperties: 2 }],
  ["patternProperties for a declared one", { type: "object", properties: { count: { type: "integer" } }, patternProperties: { "^c": { minimum: 50 } } }],
  ["minProperties", { type: "object", minProperties: 3, properties: { a: name } }],
  ["maxProperties", { type: "object", maxProperties: 1, properties: { a: name, b: name } }],
  ["dependentRequired in a chain", { type: "object", properties: { a: name }, dependentRequired: { a: ["b"], b: ["c"] } }],
  ["dependentSchemas", { type: "object", properties: { a: name }, dependentSchemas: { a: { required: ["b"], properties: { b: { const: 1 } } } } }],
  ["dependentSchemas that refuse", { type: "object", properties: { a: name, b: name }, dependentSchemas: { a: { properties: { b: false } } } }],
  ["allOf with required elsewhere", { allOf: [{ required: ["a"] }, { type: "object", properties: { a: { type: "integer" } } }] }],
  ["allOf with a closed part", { allOf: [{ type: "object", properties: { a: name }, additionalProperties: false }, { properties: { a: {}, b: name } }] }],
  ["anyOf within allOf", { allOf: [{ anyOf: [{ type: "string" }, { type: "integer" }] }, { anyOf: [{ type: "integer" }, { type: "null" }] }] }],
  ["oneOf that overlaps", { oneOf: [{ type: "integer", minimum: 5 }, { type: "integer", maximum: 10 }] }],
  ["oneOf of open objects", { oneOf: [{ type: "object", properties: { a: { type: "string" } } }, { type: "object", properties: { b: { type: "string" } } }] }],
  ["an optional property that nothing fits", { type: "object", properties: { a: { oneOf: [{ type: "string" }, { type: "string" }] }, b: name } }],
  ["not a type", { not: { type: ["string", "object"] } }],
  ["not a value", { type: "integer", not: { enum: [1, 2] } }],
  ["not required", { type: "object", properties: { a: name, b: name }, not: { required: ["b"] } }],
  ["if and then", JSON.parse('{"type":"object","required":["k"],"properties":{"k":{"enum":["a","b"]}},"if":{"properties":{"k":{"const":"a"}}},"then":{"required":["x"]},"else":{"required":["y"]}}') as Schema],
  ["unevaluatedProperties", { allOf: [{ type: "object", properties: { a: name } }], properties: { b: name }, unevaluatedProperties: false }],
  ["unevaluatedItems", { type: "array", allOf: [{ prefixItems: [name] }], unevaluatedItems: false, minItems: 1 }],
  ["true below false", { type: "object", properties: { a: false, b: true } }],
  ["nothing said", {}],
]; // oxfmt-ignore

describe("a body fits, by two validators, static and seeded", () => {
  test.for(features)("%s", ([, schema]) => {
    expect(faults(schema)).toEqual([]);
  });
});

describe("formats", () => {
  const text = formatNames().filter((format) => formatOf(format)?.type === "string");

  test.for(text)("a body has the format %s, and items of it differ", (format) => {
    expect(faults({ type: "string", format })).toEqual([]);
    if (format === "sf-boolean") return;
    const items = { type: "string", format };
    expect(faults({ type: "array", items, minItems: 8, uniqueItems: true })).toEqual([]);
  });

  test.for([
    ["email", { minLength: 40 }], ["email", { maxLength: 6 }], ["email", { minLength: 100, maxLength: 100 }],
    ["hostname", { maxLength: 5 }], ["hostname", { minLength: 200 }], ["uri", { minLength: 300 }], ["uri", { maxLength: 10 }],
    ["ipv4", { minLength: 15 }], ["ipv4", { maxLength: 8 }], ["ipv6", { maxLength: 3 }], ["ipv6", { minLength: 39 }],
    ["date-time", { minLength: 30 }], ["time", { minLength: 12 }], ["byte", { minLength: 50 }], ["byte", { maxLength: 4 }],
    ["duration", { minLength: 12 }], ["json-pointer", { maxLength: 1 }], ["uri-template", { minLength: 30 }], ["idn-hostname", { minLength: 7, maxLength: 7 }],
  ] as const)("%s with %j", ([format, lengths]) => {
    expect(faults({ type: "string", format, ...lengths })).toEqual([]);
  }); // oxfmt-ignore
});
