import { describe, expect, test } from "vitest";
import type { Schema } from "../../lib/compiled/compiled.ts";
import { makeBody } from "../../lib/schema/generate.ts";
import { shapeOf } from "../../lib/schema/shape.ts";
import { createValidators } from "../../lib/schema/validator.ts";

const ref = (id: string): Schema => ({ $ref: `#/$defs/${id}` });

/** A value of so many levels below one property. */
function nested(levels: number, end: unknown = {}): unknown {
  let value = end;
  for (let level = 0; level < levels; level++) value = { next: value };
  return value;
}

/** Schemas of which each refers to the next one twice: 22 of them are four million ways. */
function doubling(member: (next: Schema) => Schema): Record<string, Schema> {
  const schemas: Record<string, Schema> = { d22: { type: "string" } };
  for (let level = 21; level >= 0; level--) schemas[`d${level}`] = member(ref(`d${level + 1}`));
  return schemas;
}

describe("a hostile value ends in too-complex or in a judgement", () => {
  test("a value of more than 128 levels is too complex, one of 128 is judged", () => {
    const validate = createValidators({ it: true }).request("it");
    expect(validate(nested(127))).toEqual([]);
    expect(validate(nested(128))).toMatchObject([{ keyword: "too-complex", pointer: "" }]);
    expect(validate(nested(100_000))).toMatchObject([{ keyword: "too-complex" }]);
  });

  test("a union that recurses is judged in steps that do not double with each level", () => {
    const branch = (name: string): Schema => ({
      properties: { next: ref("it"), [name]: { type: "integer" } },
      required: ["next"],
    });
    const schemas = { it: { anyOf: [{ oneOf: [branch("a"), branch("b")] }, { type: "string" }] } };
    const validate = createValidators(schemas).request("it");
    expect(validate(nested(120, { next: 5 })).length).toBeGreaterThan(0);
    expect(validate(nested(120, "end"))).not.toMatchObject([{ keyword: "too-complex" }]);
  });

  test("schemas that each refer twice to the next are judged", () => {
    const validate = createValidators(doubling((next) => ({ allOf: [next, next] }))).request("d0");
    expect(validate("text")).toEqual([]);
    expect(validate(5).map(({ keyword }) => keyword)).toContain("type");
  });

  test("many equal objects are compared in steps that grow with their size", () => {
    const validate = createValidators({ it: { uniqueItems: true } }).request("it");
    const items = Array.from({ length: 20_000 }, (_, index) => ({ index, text: "x".repeat(20) }));
    expect(validate(items)).toEqual([]);
    expect(validate([...items, items[0]])).toMatchObject([{ keyword: "uniqueItems" }]);
  });

  test.for([5, 20_000])(
    "an object with %d declared properties is judged member by member",
    (count) => {
      const properties: Record<string, Schema> = Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`p${index}`, { type: "string" }]),
      );
      const validator = (schema: Record<string, Schema>) =>
        createValidators({ it: schema }).request("it");
      const value = { p1: "a", p2: 5, "~": 1, p4: { a: 1 } };
      const wrong = [
        { pointer: "/p2", keyword: "type" },
        { pointer: "/p4", keyword: "type" },
      ];
      expect(validator({ properties })(value)).toMatchObject(wrong);
      expect(validator({ properties })({ p1: "a", p3: "b" })).toEqual([]);
      const more = { ...value, p2: "b", p4: "c" };
      for (const keyword of ["additionalProperties", "unevaluatedProperties"]) {
        expect(validator({ properties, [keyword]: { type: "boolean" } })(more)).toMatchObject([
          { pointer: "/~0", keyword: "type" },
        ]);
        const only = validator({ properties, patternProperties: { "^x": true }, [keyword]: false });
        expect(only({ p1: "a", p0: "b", x1: 1 })).toEqual([]);
        expect(only({ p1: "a", q: "b" })).toMatchObject([{ pointer: "", keyword }]);
      }
    },
  );

  test("a body of 10 MB against a plain schema is judged", () => {
    const item: Schema = {
      type: "object",
      required: ["id"],
      properties: {
        id: { type: "integer" },
        name: ref("name"),
        tags: { items: { type: "string" } },
      },
      additionalProperties: false,
    };
    const name: Schema = { type: "string", pattern: "^[a-z]+ [0-9]+$" };
    const validators = createValidators({
      it: { items: item },
      name,
      names: { items: ref("name") },
    });
    const items = Array.from({ length: 40_000 }, (_, id) => ({
      id,
      name: `name ${id}`,
      tags: ["a"],
    }));
    expect(validators.request("it")(items)).toEqual([]);
    expect(validators.request("names")(items.flatMap((one) => [one.name, one.name]))).toEqual([]);
    expect(validators.request("name")(`${"a".repeat(10_000_000)} 1`)).toEqual([]);
  });

  test("many branches for many items are too complex", () => {
    const branches: Schema[] = Array.from({ length: 200 }, (_, index) => ({
      contains: { const: index },
    }));
    const validate = createValidators({ it: { items: { anyOf: [...branches, true] } } }).request(
      "it",
    );
    const item = Array.from({ length: 400 }, () => "x");
    expect(validate([item])).toEqual([]);
    expect(validate(Array.from({ length: 200 }, () => item))).toMatchObject([
      { keyword: "too-complex" },
    ]);
  });
});

describe("a hostile schema is never taken for one that fits", () => {
  const rows: readonly (readonly [string, Record<string, Schema>, string])[] = [
    ["a pattern that is none", { it: { pattern: "(" } }, '"(" is not a regular expression (at /pattern)'],
    ["a name that is a pattern that is none", { it: { patternProperties: { "[": true } } }, '"[" is not a regular expression (at /patternProperties)'],
    ["a reference to nowhere", { it: { items: ref("gone") } }, "#/$defs/gone does not exist (at /items/$ref)"],
    ["a reference of another form", { it: { $ref: "https://example.com/" } }, "https://example.com/ does not exist (at /$ref)"],
    ["a type that is none", { it: { type: "text" } }, "type must be a type of JSON Schema"],
    ["a keyword of a wrong type", { it: { properties: { a: { minLength: "3" } } } }, "minLength must be a whole number of at least 0 (at /properties/a)"],
    ["a schema that is none", { it: { items: 5 } }, "items must be a schema"],
    ["a schema that refers to itself for the same value", { it: { allOf: [ref("other")] }, other: { anyOf: [ref("it"), { type: "null" }] } }, "refers to itself without an end"],
    ["no schema at all", {}, "there is no schema it"],
  ]; // oxfmt-ignore

  test.for(rows)("%s", ([, schemas, reason]) => {
    const validators = createValidators(schemas);
    expect(validators.check("it")).toBe(reason);
    expect(validators.request("it")([{}])).not.toEqual([]);
    expect(validators.response("it")("x")).not.toEqual([]);
  });

  test("a schema that is nested without end", () => {
    let schema: Schema = {};
    for (let level = 0; level < 20_000; level++) schema = { not: schema };
    const validators = createValidators({ it: schema });
    expect(validators.check("it")).toBe("is nested too deeply");
    expect(validators.request("it")(1)).not.toEqual([]);
  });

  test("a schema that a broken one refers to is reached only by values that lead there", () => {
    const validators = createValidators({
      it: { properties: { a: ref("broken") } },
      broken: { pattern: "(" },
    });
    expect(validators.check("it")).toBeUndefined();
    expect(validators.request("it")({})).toEqual([]);
    expect(validators.request("it")({ a: "x" })).toMatchObject([{ keyword: "schema" }]);
  });
});

describe("a body is made or given up, in bounded work", () => {
  const make = (schemas: Record<string, Schema>, id: string) =>
    makeBody(schemas, id, {
      direction: "response",
      validate: createValidators(schemas).response(id),
      nodes: 500,
    });

  test("what would be millions of values is made to a lower depth", () => {
    const made = make(
      doubling((next) => ({ type: "object", properties: { l: next, r: next } })),
      "d0",
    );
    expect(made?.violations).toBeUndefined();
    expect(JSON.stringify(made?.value).length).toBeLessThan(20_000);
    expect(made?.value).toMatchObject({ l: { l: {}, r: {} }, r: { l: {}, r: {} } });
  });

  test("what must be millions of values is given up", () => {
    expect(
      make(
        doubling((next) => ({
          type: "object",
          properties: { l: next, r: next },
          required: ["l", "r"],
        })),
        "d0",
      ),
    ).toBeUndefined();
  });

  test("a million ways through unions are not all tried", () => {
    const unions = Array.from({ length: 20 }, (_, index) => ({
      anyOf: [{ minimum: index }, { maximum: -index }],
    }));
    expect(make({ it: { type: "integer", allOf: unions } }, "it")).toBeDefined();
  });

  test("checks that take too many steps end the search", () => {
    const schemas = doubling((next) => ({ oneOf: [next, next] }));
    const validators = createValidators(schemas);
    const validate = validators.response("d0");
    let candidates = 0;
    const made = makeBody(schemas, "d0", {
      direction: "response",
      validate: (value) => (candidates++, validate(value)),
      spent: validators.spent,
    });
    expect(made?.violations?.[0]).toMatchObject({ keyword: "oneOf" });
    expect(candidates).toBeLessThan(5);
  });

  test("a list of millions of items is not made", () => {
    expect(make({ it: { type: "array", minItems: 5_000_000 } }, "it")).toBeUndefined();
  });

  test("what refers to itself for the same value has no body that goes on for ever", () => {
    expect(make({ it: { allOf: [ref("it")] } }, "it")).toBeUndefined();
    expect(make({ it: { anyOf: [ref("it"), { type: "string" }] } }, "it")?.value).toBe("string");
  });
});

test("a schema that is nested without end has no body, and a shape that says nothing", () => {
  let schema: Schema = { type: "string" };
  for (let level = 0; level < 50_000; level++) schema = { allOf: [schema] };
  const schemas = { it: schema };
  expect(makeBody(schemas, "it", { direction: "response", validate: () => [] })).toBeUndefined();
  expect(shapeOf(schemas, "it").types.size).toBe(7);
});

describe("a shape is read in bounded work", () => {
  test("of schemas that each refer twice to the next", () => {
    const schemas = doubling((next) => ({ allOf: [next, { anyOf: [next, next] }] }));
    const shape = shapeOf(schemas, "d0");
    expect([...shape.types]).toEqual(["string"]);
    expect(shape.property("a")).toBeUndefined();
  });

  test("of a schema that refers to itself", () => {
    const schemas: Record<string, Schema> = {
      it: { anyOf: [{ type: "string" }, ref("it")] },
      loop: ref("loop"),
    };
    expect([...shapeOf(schemas, "it").types]).toEqual(["string"]);
    expect(shapeOf(schemas, "loop").types.size).toBe(7);
  });
});
