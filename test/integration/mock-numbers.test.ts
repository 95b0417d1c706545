import { expect, test } from "vitest";
import { parse } from "yaml";
import { createSampler } from "../../lib/sample/sample.ts";
import { mockOf } from "../support/mock.ts";

/** A definition whose only operation answers the content (flow style) and the header N. */
const answering = (content: string, more = ""): string => `openapi: 3.1.0
info: {title: Numbers, version: "1"}
paths:
  /n:
    get:
      responses:
        "200":
          description: d
          headers: {N: {schema: {type: integer}, example: 9223372036854775807}}
          content: ${content}
${more}`;

const json = (media: string): string => answering(`{application/json: ${media}}`);

test.for([
  ["9223372036854775807", "Long.MAX_VALUE"],
  ["-9223372036854775808", "Long.MIN_VALUE"],
  ["18446744073709551615", "the greatest uint64"],
  ["12345678901234567890123", "what no machine word holds"],
  ["0.12345678901234567890", "a fraction of twenty digits"],
  ["1234567890123456.789", "a fraction behind a long number"],
  ["1e-7", "a short one"],
  ["9007199254740992", "2^53"],
] as const)("the number %s, %s, goes out as the document has it", async ([number]) => {
  for (const text of [
    json(`{example: {id: ${number}, list: [${number}]}}`),
    JSON.stringify(parse(json(`{example: {id: "NUMBER", list: ["NUMBER"]}}`))).replaceAll('"NUMBER"', number), // oxfmt-ignore
  ]) {
    const mock = await mockOf(text);
    expect((await mock.send("GET", "/n")).text).toBe(`{"id":${number},"list":[${number}]}`);
    expect(mock.findings).toEqual([]);
  }
});

test.for([
  ["of a property's example", "{type: integer, format: int64, example: 9223372036854775807}"],
  ["of a constant", "{const: 9223372036854775807}"],
  ["of a choice", "{enum: [9223372036854775807]}"],
  ["of a default", "{type: integer, default: 9223372036854775807}"],
] as const)("a body that is made has the number %s", async ([, schema]) => {
  const mock = await mockOf(json(`{schema: {type: object, required: [id], properties: {id: ${schema}}}}`)); // oxfmt-ignore
  expect((await mock.send("GET", "/n")).text).toBe(`{"id":9223372036854775807}`);
});

test.for([
  ["application/json", "[9223372036854775807]", "[9223372036854775807]"],
  ["application/jsonl", "[{a: 9223372036854775807}]", '{"a":9223372036854775807}\n'],
  [
    "application/yaml",
    "{a: 9223372036854775807, b: [0.5]}",
    "a: 9223372036854775807\nb:\n  - 0.5\n",
  ],
  [
    "text/event-stream",
    "[{data: {a: 9223372036854775807}}]",
    'data: {"a":9223372036854775807}\n\n',
  ],
  ["application/x-www-form-urlencoded", "{a: 9223372036854775807}", "a=9223372036854775807"],
  ["text/plain", "9223372036854775807", "9223372036854775807"],
] as const)("%s and headers have the number too", async ([type, example, text]) => {
  const mock = await mockOf(answering(`{${type}: {example: ${example}}}`));
  const answer = await mock.send("GET", "/n");
  expect(answer.text).toBe(text);
  expect(answer.headers.get("n")).toBe("9223372036854775807");
});

test("hexadecimal and octal numbers of YAML go out as decimal ones, a plus and leading zeros as nothing", async () => {
  const mock = await mockOf(json("{example: [0x7fffffffffffffff, 0o777777777777777777777, +9223372036854775807]}")); // oxfmt-ignore
  expect((await mock.send("GET", "/n")).text).toBe("[9223372036854775807,9223372036854775807,9223372036854775807]"); // oxfmt-ignore
});

test("two numbers that are one to JavaScript are told, with their place, and go out rounded", async () => {
  const mock = await mockOf(json("{example: [1234567890123456789, 1234567890123456790]}"));
  expect((await mock.send("GET", "/n")).text).toBe("[1234567890123456800,1234567890123456800]");
  expect(mock.findings).toMatchObject([
    { severity: "warning", code: "rounded-number", line: 10, column: 71 },
  ]);
  expect(mock.findings[0]?.message).toContain("1234567890123456790 and 1234567890123456789");
});

test.for(["json", "yaml"])("the definition as %s has the number", async (syntax) => {
  const text = json("{example: 9223372036854775807}");
  for (const source of [text, JSON.stringify(parse(text, { intAsBigInt: true }), (_, value: unknown) => typeof value === "bigint" ? JSON.rawJSON(String(value)) : value)]) // oxfmt-ignore
    expect((await (await mockOf(source)).send("GET", `/__apirator/definition.${syntax}`)).text).toMatch(/"?example"?: ?9223372036854775807\b/); // oxfmt-ignore
});

test("requests that are made for a person have the number", async () => {
  const { compiled } = await mockOf(`openapi: 3.1.0
info: {title: Numbers, version: "1"}
paths:
  /n/{id}:
    post:
      parameters: [{name: id, in: path, required: true, schema: {type: integer}, example: 9223372036854775807}]
      requestBody: {content: {application/json: {example: {id: 9223372036854775807}}}}
      responses: {"204": {description: d}}
`);
  const [operation] = compiled.operations;
  expect(operation && createSampler(compiled)(operation)).toMatchObject({
    target: "/n/9223372036854775807",
    body: { text: '{"id":9223372036854775807}' },
  });
});
