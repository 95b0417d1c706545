import { expect, test } from "vitest";
import type { Header, Media, Response, Schema } from "../../lib/compiled/compiled.ts";
import { compiledOf, exampleOf, responseOf } from "../support/compiled.ts";
import { mockFrom } from "../support/mock.ts";

const json = "application/json";
const schemas: Record<string, Schema> = {
  pet: { type: "object", required: ["id"], properties: { id: { type: "integer", minimum: 1 } } },
  none: false,
  text: { type: "string" },
  count: { type: "integer", const: 7 },
};

function mockOf(responses: readonly (readonly [string, Response])[]) {
  return mockFrom(compiledOf([{ responses }], { schemas }));
}

test.for<[about: string, type: string, media: Partial<Media>, text: string]>([
  ["an example is written as JSON", json, exampleOf({ b: 1, a: null }), '{"b":1,"a":null}'],
  ["false is an example", json, exampleOf(false), "false"],
  ["null is an example", json, exampleOf(null), "null"],
  ["a text is a JSON string", json, exampleOf('{"a":1}'), '"{\\"a\\":1}"'],
  [
    "JSON as text is JSON where no string would fit",
    json,
    { ...exampleOf('{"id": 1}'), schema: "pet" },
    '{"id": 1}',
  ],
  [
    "JSON as text is text where a string fits",
    json,
    { ...exampleOf('{"id": 1}'), schema: "text" },
    '"{\\"id\\": 1}"',
  ],
  ["what is no JSON stays a string", json, { ...exampleOf("{id}"), schema: "pet" }, '"{id}"'],
  [
    "the first example is taken",
    json,
    {
      examples: [
        ["x", { external: "http://other.test" }],
        ["b", { value: 2 }],
        ["a", { value: 1 }],
      ],
    },
    "2",
  ],
  [
    "what was made at compile time is taken",
    json,
    { schema: "pet", made: { value: { id: 9 } } },
    '{"id":9}',
  ],
  ["what was not is made now", json, { schema: "pet" }, '{"id":1}'],
  ["an item of a sequence is made", "application/x-ndjson", { itemSchema: "pet" }, '{"id":1}\n'],
  ["without a schema JSON has an empty object", json, {}, "{}"],
  ["without a schema others are empty", "text/plain", {}, ""],
  ["plain text is as it is", "text/plain", exampleOf("a\nb"), "a\nb"],
  ["a number is its digits", "text/plain", exampleOf(1.5), "1.5"],
  ["XML that is written out goes out", "application/xml", exampleOf("<a/>"), "<a/>"],
  ["YAML is written as YAML", "application/yaml", exampleOf({ a: [1, "x"] }), "a:\n  - 1\n  - x\n"],
  [
    "a form is written as a form",
    "application/x-www-form-urlencoded",
    exampleOf({ a: "x y", b: [1, 2] }),
    "a=x+y&b=1&b=2",
  ],
  ["a sequence has a text a line", "application/jsonl", exampleOf([{ a: 1 }, 2]), '{"a":1}\n2\n'],
  ["a JSON sequence has record separators", "application/json-seq", exampleOf([1]), "\u001e1\n"],
  [
    "events that are written out go out",
    "text/event-stream",
    exampleOf("data: x\n\n"),
    "data: x\n\n",
  ],
  [
    "a text is the data of an event",
    "text/event-stream",
    exampleOf("a\nb"),
    "data: a\ndata: b\n\n",
  ],
  [
    "events have their fields",
    "text/event-stream",
    exampleOf([{ event: "e", data: { a: 1 } }, { a: 2 }]),
    'event: e\ndata: {"a":1}\n\ndata: {"a":2}\n\n',
  ],
  [
    "a type that nobody serialises is JSON",
    "application/x-unheard-of",
    exampleOf({ a: 1 }),
    '{"a":1}',
  ],
])("%s", async ([, type, media, text]) => {
  const answer = await mockOf([responseOf("200", [[type, media]])]).send("GET", "/p");
  expect(answer.text).toBe(text);
  expect(answer.headers.get("content-type")).toBe(type);
});

const header = (more: Partial<Header>): Header => ({ required: false, explode: false, ...more });

test.for<[about: string, name: string, header: Partial<Header>, value: string | null]>([
  ["a number", "X-A", { example: 5 }, "5"],
  ["a list by commas", "X-A", { example: [1, "b"] }, "1,b"],
  ["an object by commas", "X-A", { example: { a: 1, b: "c" } }, "a,1,b,c"],
  ["an exploded object", "X-A", { example: { a: 1, b: "c" }, explode: true }, "a=1,b=c"],
  ["what was made at compile time", "X-A", { made: { value: "m" } }, "m"],
  ["what is made now", "X-A", { schema: "count" }, "7"],
  ["nothing for null", "X-A", { example: null }, null],
  ["nothing without a value", "X-A", {}, null],
  ["nothing with a line break", "X-A", { example: "a\r\nSet-Cookie: b" }, null],
  ["nothing beyond Latin-1", "X-A", { example: "\u20ac" }, null],
  ["nothing under a name that is none", "X A", { example: "a" }, null],
  ["its own framing", "Content-Length", { example: 1 }, "0"],
  ["nothing of codings that are not done", "Content-Encoding", { example: "gzip" }, null],
  ["nothing of the clock", "Date", { example: "now" }, null],
  ["nothing of the connection", "Transfer-Encoding", { example: "chunked" }, null],
])("a header has %s", async ([, name, declared, value]) => {
  const responses = [responseOf("200", [], [[name, header(declared)]])];
  const answer = await mockOf(responses).send("GET", "/p");
  expect(answer.status).toBe(200);
  expect(isName(name) ? answer.headers.get(name) : null).toBe(value);
});

function isName(name: string): boolean {
  return !name.includes(" ");
}

test("several cookies are several fields", async () => {
  const cookies = header({ example: ["a=1; Path=/", "b=2"] });
  const answer = await mockOf([responseOf("200", [], [["Set-Cookie", cookies]])]).send("GET", "/p");
  expect(answer.headers.getSetCookie()).toEqual(["a=1; Path=/", "b=2"]);
});

test.for<[deprecated: true | number, value: string]>([
  [true, "@0"],
  [1_700_000_000, "@1700000000"],
])("an operation that is deprecated (%s) says so", async ([deprecated, value]) => {
  const mock = mockFrom(compiledOf([{ deprecated, responses: [responseOf("200")] }]));
  expect((await mock.send("GET", "/p")).headers.get("deprecation")).toBe(value);
});

test("a body that breaks its own schema goes out and says so", async () => {
  const violation = { in: "response", name: "", pointer: "/é", message: "m", keyword: "not" } as const; // oxfmt-ignore
  const made = { value: 1, violations: [violation] };
  const answer = await mockOf([responseOf("200", [[json, { schema: "pet", made }]])]).send("GET", "/p"); // oxfmt-ignore
  expect(answer.json).toBe(1);
  expect(answer.headers.get("apirator-violations")).toContain("\\u00e9");
  expect(JSON.parse(answer.headers.get("apirator-violations") ?? "")).toEqual([violation]);
});

test("violations are at most 4 KB of whole items", async () => {
  const violation = { in: "response", name: "", pointer: "", message: "x".repeat(900), keyword: "not" } as const; // oxfmt-ignore
  const made = { value: 1, violations: Array.from({ length: 20 }, () => violation) };
  const answer = await mockOf([responseOf("200", [[json, { made }]])]).send("GET", "/p");
  const field = answer.headers.get("apirator-violations") ?? "";
  expect(field.length).toBeLessThanOrEqual(4096);
  expect(JSON.parse(field)).toHaveLength(4);
});

test("a schema that nothing satisfies is a problem", async () => {
  const answer = await mockOf([responseOf("200", [[json, { schema: "none" }]])]).send("GET", "/p");
  expect(answer.status).toBe(500);
  expect(answer.json).toMatchObject({ type: "https://apirator.io/problems/cannot-generate" });
});

test.for<[keys: string[], status: number]>([
  [["404", "202", "201"], 201],
  [["404", "2XX"], 200],
  [["2XX", "201"], 201],
  [["404", "default"], 200],
  [["500", "404"], 500],
  [["4XX"], 400],
  [["100"], 501],
  [["100", "301"], 301],
  [["x-other", "299"], 299],
  [[], 200],
])("of %j the answer is %i", async ([keys, status]) => {
  const answer = await mockOf(keys.map((key) => responseOf(key))).send("GET", "/p");
  expect(answer.status).toBe(status);
});
