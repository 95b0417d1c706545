import * as fc from "fast-check";
import type { Schema } from "../../lib/compiled/compiled.ts";

/** Answers schemas of the kinds for which a valid body is promised, never without any valid value. The root is `#/$defs/root`. */
export function anySchema(): fc.Arbitrary<Schema> {
  return fc.letrec<{ schema: Schema; inner: Schema }>((tie) => ({
  inner: fc.oneof({ maxDepth: 3, depthSize: "small" }, scalar(), list(tie("inner")), object(tie("inner")), combined(tie("inner"))),
  schema: tie("inner"),
})).schema; // oxfmt-ignore
}

function scalar(): fc.Arbitrary<Schema> {
  return fc.oneof(text(), pattern(), format(), integer(), number(), choice(), fc.constant<Schema>({ type: "boolean" }));
} // oxfmt-ignore

function text(): fc.Arbitrary<Schema> {
  return fc.tuple(fc.nat(12), fc.nat(8), fc.boolean()).map(([minLength, room, open]) => ({
    type: "string",
    minLength,
    ...(open ? {} : { maxLength: minLength + room }),
  }));
}

function pattern(): fc.Arbitrary<Schema> {
  const sources = ["^[a-z]+$", String.raw`^\d{3}-[A-Z]{2,4}$`, "^(ab|cd)+$", "[0-9]{2}", String.raw`^\w{1,20}@\w+\.com$`, "^(?=.*[A-Z])(?=.*[0-9]).+$", "^x?y*z+$"]; // oxfmt-ignore
  return fc
    .tuple(fc.constantFrom(...sources), fc.nat(6), fc.boolean())
    .map(([source, minLength, open]) => ({
      type: "string",
      pattern: source,
      ...(open ? {} : { minLength, maxLength: minLength + 12 }),
    }));
}

const formats = ["date", "date-time", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uri-reference", "iri", "uuid", "uri-template", "json-pointer", "relative-json-pointer", "regex", "byte", "binary", "password", "unheard-of"]; // oxfmt-ignore

function format(): fc.Arbitrary<Schema> {
  return fc.constantFrom(...formats).map((name) => ({ type: "string", format: name }));
}

function integer(): fc.Arbitrary<Schema> {
  return fc
    .record({
      low: fc.integer({ min: -50, max: 50 }),
      room: fc.integer({ min: 12, max: 60 }),
      multipleOf: fc.constantFrom(undefined, 1, 2, 5, 6),
      exclusive: fc.boolean(),
      open: fc.constantFrom("both", "low", "high", "none"),
      format: fc.constantFrom(undefined, "int32", "int64"),
    })
    .map(({ low, room, multipleOf, exclusive, open, format: name }) => ({
      type: "integer",
      ...(open === "both" || open === "low" ? {} : { [exclusive ? "exclusiveMinimum" : "minimum"]: low }),
      ...(open === "both" || open === "high" ? {} : { [exclusive ? "exclusiveMaximum" : "maximum"]: low + room }),
      ...(multipleOf === undefined ? {} : { multipleOf }),
      ...(name === undefined ? {} : { format: name }),
    })); // oxfmt-ignore
}

function number(): fc.Arbitrary<Schema> {
  return fc
    .record({
      low: fc.integer({ min: -500, max: 500 }),
      room: fc.integer({ min: 1, max: 90 }),
      exclusive: fc.boolean(),
      open: fc.boolean(),
    })
    .map(({ low, room, exclusive, open }) => ({
      type: "number",
      [exclusive ? "exclusiveMinimum" : "minimum"]: low / 100,
      ...(open ? {} : { [exclusive ? "exclusiveMaximum" : "maximum"]: (low + room) / 100 }),
    }));
}

function choice(): fc.Arbitrary<Schema> {
  const value = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null));
  return fc.oneof(
    fc.array(value, { minLength: 1, maxLength: 4 }).map((values) => ({ enum: values })),
    value.map((one) => ({ const: one })),
    fc.constant<Schema>({ type: ["string", "null"], maxLength: 10 }),
  );
}

function list(item: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  return fc.oneof(
    fc.tuple(item, fc.nat(3), fc.nat(2)).map(([items, minItems, room]) => ({ type: "array", items, minItems, maxItems: minItems + room })),
    fc.tuple(item, item).map(([first, items]) => ({ type: "array", prefixItems: [first, { type: "integer" }], items })),
    item.map((first) => ({ type: "array", prefixItems: [first], items: false })),
    fc.nat(4).map((minItems) => ({ type: "array", uniqueItems: true, minItems, items: { type: "object", required: ["a"], properties: { a: { type: "integer", minimum: 0 }, b: { type: "string" } } } })),
    fc.nat(4).map((minItems) => ({ type: "array", uniqueItems: true, minItems, items: { enum: ["a", "b", "c", "d"] } })),
    fc.tuple(fc.nat(3), fc.nat(2)).map(([minContains, room]) => ({ type: "array", items: { type: "integer" }, contains: { type: "integer", minimum: 100 }, minContains, minItems: minContains + room })),
  ); // oxfmt-ignore
}

function object(member: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  const name = fc.constantFrom("id", "name", "email", "a", "b", "createdAt", "toString", "price");
  const properties = fc.dictionary(name, member, { maxKeys: 4, noNullPrototype: true });
  return fc.oneof(
    fc.tuple(properties, fc.boolean(), fc.boolean()).map(([declared, closed, all]) => ({ type: "object", properties: declared, required: Object.keys(declared).slice(all ? 0 : 1), ...(closed ? { additionalProperties: false } : {}) })),
    fc.tuple(member, fc.nat(3)).map(([additionalProperties, minProperties]) => ({ type: "object", additionalProperties, minProperties, maxProperties: minProperties + 1 })),
    fc.tuple(member, fc.nat(3)).map(([value, minProperties]) => ({ type: "object", patternProperties: { "^x-[a-z]+$": value }, additionalProperties: false, minProperties })),
    fc.tuple(member, fc.nat(3)).map(([value, minProperties]) => ({ type: "object", propertyNames: { pattern: "^[A-Z]{2}$" }, additionalProperties: value, minProperties })),
    fc.tuple(member, member).map(([a, b]) => ({ type: "object", properties: { a, b }, dependentRequired: { a: ["c"] }, maxProperties: 3 })),
    fc.tuple(member, member).map(([a, b]) => ({ type: "object", properties: { a }, dependentSchemas: { a: { required: ["b"], properties: { b } } } })),
  ); // oxfmt-ignore
}

function combined(member: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  return fc.oneof(
    fc.tuple(member, member).map(([a, b]) => ({ allOf: [{ type: "object", required: ["a"], properties: { a } }, { type: "object", required: ["b"], properties: { b } }] })),
    fc.tuple(member, member).map(([a, b]) => ({ anyOf: [a, b] })),
    fc.tuple(member, member).map(([a, b]) => ({ type: "object", properties: { shared: a }, oneOf: [{ required: ["kind"], properties: { kind: { const: "a" } } }, { required: ["kind"], properties: { kind: { const: "b" }, b } }] })),
    member.map((value) => ({ anyOf: [{ type: "null" }, value] })),
    fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 10, max: 19 })).map(([minimum, maximum]) => ({ allOf: [{ type: "integer", minimum }, { type: "number", maximum }, { multipleOf: 3 }] })),
    member.map((value) => ({ type: "object", required: ["value"], properties: { value, next: { $ref: "#/$defs/root" }, list: { type: "array", items: { $ref: "#/$defs/root" } } } })),
  ); // oxfmt-ignore
}
