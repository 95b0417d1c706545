import { expect, test } from "vitest";

import { compileDefinition } from "../../lib/definition/compile.ts";
import { compiledFrom, findingsOf, operationFrom, textOf } from "../support/definition.ts";

const answer = (media: object, headers: object = {}) => ({
  get: {
    responses: { "200": { description: "d", headers, content: { "application/json": media } } },
  },
});
const here = "/paths/~1p/get/responses/200/content/application~1json";

test("a response without example gets a body that fits its schema", async () => {
  const schema = {
    type: "object",
    required: ["n"],
    properties: { n: { type: "integer", multipleOf: 5, minimum: 7, maximum: 14 } },
  };
  const { responses } = await operationFrom(answer({ schema }));
  expect(responses[0]?.[1].content[0]?.[1].made).toEqual({ value: { n: 10 } });
});

test("a response with an example gets none", async () => {
  const { responses } = await operationFrom(answer({ schema: { type: "string" }, example: "a" }));
  expect(responses[0]?.[1].content[0]?.[1].made).toBeUndefined();
});

test("an example outside the document does not count as one", async () => {
  const examples = { a: { externalValue: "https://example.com/a" } };
  const { responses } = await operationFrom(answer({ schema: { type: "string" }, examples }));
  expect(responses[0]?.[1].content[0]?.[1].made).toBeDefined();
});

test("a response header without example gets a value", async () => {
  const { responses } = await operationFrom(
    answer({}, { "X-V": { schema: { type: "string", enum: ["v9"] } } }),
  );
  expect(responses[0]?.[1].headers).toMatchObject([["X-V", { made: { value: "v9" } }]]);
});

test.for([
  [
    "an example that does not fit",
    { schema: { type: "integer" }, example: "a" },
    [`warning example-invalid ${here}/example`],
  ],
  [
    "one of several",
    { schema: { type: "integer" }, examples: { a: { value: 1 }, b: { value: "b" } } },
    [`warning example-invalid ${here}/examples/b`],
  ],
  ["JSON written as text", { schema: { type: "integer" }, example: "1" }, []],
  ["null where it may be", { schema: { type: "string", nullable: true }, example: null }, []],
  [
    "a writeOnly name that is missing",
    {
      schema: { type: "object", required: ["a"], properties: { a: { writeOnly: true } } },
      example: {},
    },
    [],
  ],
  [
    "a readOnly name that is missing",
    {
      schema: { type: "object", required: ["a"], properties: { a: { readOnly: true } } },
      example: {},
    },
    [`warning example-invalid ${here}/example`],
  ],
] as const)("%s", async ([, media, expected]) => {
  // oxfmt-ignore
  expect(await findingsOf({ paths: { "/p": answer(media) } })).toEqual(expected);
});

test("examples of parameters and request bodies are looked at too", async () => {
  const schema = { type: "integer" };
  const post = {
    parameters: [{ name: "a", in: "query", schema, examples: { x: { value: "no" } } }],
    requestBody: { content: { "application/json": { schema, example: "no" } } },
    responses: { "200": { description: "d" } },
  };
  expect(await findingsOf({ paths: { "/p": { post } } })).toEqual([
    "warning example-invalid /paths/~1p/post/parameters/0/examples/x",
    "warning example-invalid /paths/~1p/post/requestBody/content/application~1json/example",
  ]);
});

test("text of another syntax than JSON is not compared with the schema", async () => {
  const content = { "application/xml": { schema: { type: "object" }, example: "<a/>" } };
  const get = { responses: { "200": { description: "d", content } } };
  expect(await findingsOf({ paths: { "/p": { get } } })).toEqual([]);
});

test("when the time is up the rest is left to the mock, and one hint says so", async () => {
  let time = 0;
  const paths = Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [
      `/p${index}`,
      answer({ schema: { type: "string", minLength: index } }),
    ]),
  );
  const { compiled, findings } = await compileDefinition(textOf({ paths }), {
    now: () => (time += 250),
  });
  const made = compiled?.operations.map(
    ({ responses }) => responses[0]?.[1].content[0]?.[1].made !== undefined,
  );
  expect(made).toEqual([true, true, true, false, false, false, false, false, false]);
  expect(findings.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
    "example-not-made /paths/~1p3/get/responses/200/content/application~1json",
  ]);
});

test("a schema that many responses name is made once and shown everywhere", async () => {
  const media = { schema: { $ref: "#/components/schemas/S" } };
  const { operations } = await compiledFrom({
    paths: { "/a": answer(media), "/b": answer(media) },
    components: { schemas: { S: { type: "object", properties: { a: { type: "string" } } } } },
  });
  const [a, b] = operations.map(({ responses }) => responses[0]?.[1].content[0]?.[1].made);
  expect(a).toBeDefined();
  expect(b).toEqual(a);
});

test("what must contain itself cannot be made", async () => {
  const media = { schema: { $ref: "#/components/schemas/S" } };
  const S = {
    type: "object",
    required: ["s"],
    properties: { s: { $ref: "#/components/schemas/S" } },
  };
  expect(
    await findingsOf({ paths: { "/p": answer(media) }, components: { schemas: { S } } }),
  ).toEqual([`warning example-impossible ${here}`]);
});
