import { expect, test } from "vitest";
import type { Example, Operation, Pairs, Parameter } from "../../lib/compiled/compiled.ts";
import { compiledOf, responseOf } from "../support/compiled.ts";
import type { Sent } from "../support/mock.ts";
import { mockFrom } from "../support/mock.ts";

const json = "application/json";

function named(values: Readonly<Record<string, unknown>>): Pairs<Example> {
  return Object.entries(values).map(([name, value]) => [name, { value }]);
}

function query(name: string, values: Readonly<Record<string, unknown>>): Parameter {
  return {
    name,
    in: "query",
    pointer: "",
    required: false,
    style: "form",
    explode: true,
    allowReserved: false,
    allowEmptyValue: false,
    schema: "integer",
    examples: named(values),
  };
}

function answersOf(key: string, names: readonly string[]) {
  const values = Object.fromEntries(names.map((name) => [name, `${key} ${name}`]));
  return responseOf(key, [[json, { examples: named(values) }]]);
}

const body = {
  pointer: "",
  required: false,
  content: [
    [
      json,
      {
        pointer: "",
        schema: "object",
        examples: named({
          new: { name: "a", tags: [1, 2] },
          text: '{"name": "t"}',
          bad: { name: 7 },
        }),
      },
    ],
    ["text/plain", { pointer: "", examples: named({ plain: "hello" }) }],
  ],
} as const;

const operations: readonly Partial<Operation>[] = [
  {
    parameters: [query("a", { one: 1, both: 1, late: 3 }), query("b", { both: 2, zero: 0 })],
    responses: [answersOf("404", ["late"]), answersOf("200", ["usual", "one", "both", "zero"])],
  },
  {
    method: "POST",
    parameters: [query("a", { one: 1, wrong: 5 })],
    body,
    responses: [
      answersOf("201", ["usual", "new", "text", "plain", "one"]),
      answersOf("422", ["first", "bad"]),
    ],
  },
];
const schemas = {
  integer: { type: "integer", default: 3 },
  object: { type: "object", properties: { name: { type: "string" } } },
};
const mock = mockFrom(compiledOf(operations, { schemas }));

test.for<[about: string, target: string, sent: Sent, status: number, answer: string]>([
  ["the request that equals an example gets its answer", "/p?a=1&b=9", {}, 200, "200 one"],
  ["more inputs win", "/p?a=1&b=2", {}, 200, "200 both"],
  ["nothing equal gets the usual answer", "/p?a=7&b=7", {}, 200, "200 usual"],
  ["an absent input is its default", "/p", {}, 404, "404 late"],
  ["the status comes along", "/p?a=3&b=9", {}, 404, "404 late"],
  ["of two that match the first stands", "/p?a=1&b=0", {}, 200, "200 one"],
  ["code narrows", "/p?a=3&b=9", { headers: { prefer: "code=200" } }, 200, "200 usual"],
  ["code narrows to its own", "/p?a=1&b=9", { headers: { prefer: "code=404" } }, 404, "404 late"],
  [
    "example switches it off",
    "/p?a=1&b=2",
    { headers: { prefer: "example=zero" } },
    200,
    "200 zero",
  ],
])("%s", async ([, target, sent, status, answer]) => {
  const got = await mock.send("GET", target, sent);
  expect([got.status, got.json]).toEqual([status, answer]);
});

test.for<[about: string, type: string, text: string, status: number, answer: string]>([
  ["a body counts, its members in any order", json, '{"tags":[1,2],"name":"a"}', 201, "201 new"],
  ["its lists in their order", json, '{"tags":[2,1],"name":"a"}', 201, "201 usual"],
  ["an example that is JSON as text is that JSON", json, '{"name":"t"}', 201, "201 text"],
  ["the examples of the type that was sent count", "text/plain", "hello", 201, "201 plain"],
  ["an invalid request may be told by its pair", json, '{"name":7}', 422, "422 bad"],
  ["any other is told by the first", json, '{"name":8}', 422, "422 first"],
])("%s", async ([, type, text, status, answer]) => {
  const got = await mock.send("POST", "/p?a=9", { headers: { "content-type": type }, body: text });
  expect([got.status, got.json]).toEqual([status, answer]);
});

test("an example that no response has is no scenario", async () => {
  const got = await mock.send("POST", "/p?a=5");
  expect([got.status, got.json]).toEqual([201, "201 usual"]);
});

test("without validation scenarios still answer", async () => {
  const off = mockFrom(compiledOf(operations, { schemas }), { validate: "Off" });
  expect((await off.send("GET", "/p?a=1&b=2")).json).toBe("200 both");
});
