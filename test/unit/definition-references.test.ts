import { expect, test } from "vitest";

import {
  anyResponses,
  compile,
  compiledFrom,
  findingsOf,
  operationFrom,
} from "../support/definition.ts";

const text = { type: "string" };

function withSchema(schema: unknown, components: unknown = {}, openapi = "3.1.1") {
  const content = { "application/json": { schema } };
  return {
    openapi,
    paths: { "/p": { get: { responses: { "200": { description: "d", content } } } } },
    components,
  };
}

test.for([
  ["a component", "#/components/schemas/A", { schemas: { A: text } }],
  ["a name with a blank", "#/components/schemas/a%20b", { schemas: { "a b": text } }],
  ["a name with a slash", "#/components/schemas/a~1b", { schemas: { "a/b": text } }],
  ["a name with a tilde and percent", "#/components/schemas/~0%25", { schemas: { "~%": text } }],
  [
    "a property of a schema",
    "#/components/schemas/A/properties/b",
    { schemas: { A: { properties: { b: text } } } },
  ],
  [
    "a property of a schema that refers",
    "#/components/schemas/A/properties/b",
    { schemas: { A: { $ref: "#/components/schemas/B" }, B: { properties: { b: text } } } },
  ],
  ["an item of a list", "#/components/schemas/A/allOf/0", { schemas: { A: { allOf: [text] } } }],
  [
    "a definition inside a schema",
    "#/components/schemas/A/$defs/b",
    { schemas: { A: { $defs: { b: text } } } },
  ],
  ["an anchor", "#here", { schemas: { A: { $anchor: "here", ...text } } }],
  [
    "an identifier",
    "https://example.com/a",
    { schemas: { A: { $id: "https://example.com/a", ...text } } },
  ],
  ["a relative identifier", "a.json", { schemas: { A: { $id: "a.json", ...text } } }],
  [
    "a pointer below an identifier",
    "a.json#/$defs/b",
    { schemas: { A: { $id: "a.json", $defs: { b: text } } } },
  ],
  [
    "a chain",
    "#/components/schemas/A",
    { schemas: { A: { $ref: "#/components/schemas/B" }, B: text } },
  ],
] as const)("a reference leads to %s", async ([, ref, components]) => {
  // oxfmt-ignore
  const { operations, schemas } = await compiledFrom(withSchema({ $ref: ref }, components));
  const id = operations[0]?.responses[0]?.[1].content[0]?.[1].schema ?? "";
  expect(schemas[id]).toEqual(text);
});

test.for([
  ["a component that is not there", "#/components/schemas/B", "unresolved-ref"],
  ["an anchor that is not there", "#there", "unresolved-ref"],
  ["what every object inherits", "#/components/schemas/constructor", "unresolved-ref"],
  ["the length of a list", "#/tags/length", "unresolved-ref"],
  ["another file", "other.yaml#/A", "external-ref"],
  ["another host", "https://example.com/a", "external-ref"],
  ["a file of the machine", "file:///etc/passwd", "external-ref"],
  ["the cloud's metadata", "http://169.254.169.254/latest", "external-ref"],
] as const)("a reference to %s is refused", async ([, ref, code]) => {
  const pointer = "/paths/~1p/get/responses/200/content/application~1json/schema/$ref";
  const document = { ...withSchema({ $ref: ref }, { schemas: { A: text } }), tags: [] };
  expect(await findingsOf(document)).toEqual([`error ${code} ${pointer}`]);
});

test("references in circles that name nothing are refused, each", async () => {
  const schemas = { A: { $ref: "#/components/schemas/B" }, B: { $ref: "#/components/schemas/A" } };
  expect(await findingsOf(withSchema({ type: "string" }, { schemas }))).toEqual([
    "error circular-ref /components/schemas/A/$ref",
    "error circular-ref /components/schemas/B/$ref",
  ]);
});

test.for([
  ["Bett", "Bet"],
  ["bet", "Bet"],
  ["Odd", "Odds"],
] as const)("for %s it asks whether %s was meant", async ([wrong, right]) => {
  const schemas = { Bet: text, Odds: text, Something: text };
  const { findings } = await compile(
    withSchema({ $ref: `#/components/schemas/${wrong}` }, { schemas }),
  );
  expect(findings[0]?.message).toContain(`did you mean ${right}?`);
});

test("a $ref in an example, a default, an enum or an extension is data", async () => {
  const schema = {
    type: "object",
    example: { $ref: "a" },
    default: { $ref: "b" },
    enum: [{ $ref: "c" }],
    "x-d": { $ref: "d" },
  };
  const content = { "application/json": { schema, examples: { a: { value: { $ref: "e" } } } } };
  const paths = { "/p": { get: { responses: { "200": { description: "d", content } } } } };
  const findings = await findingsOf({ paths });
  expect(findings.filter((finding) => finding.startsWith("error"))).toEqual([]);
});

test("a property may be called $ref, and others as keywords are", async () => {
  const schema = {
    type: "object",
    properties: { $ref: text, default: text, example: text, properties: { type: "object" } },
  };
  const { schemas } = await compiledFrom(withSchema(schema));
  expect(Object.values(schemas)).toEqual([schema]);
});

test("everything that may be a reference is followed", async () => {
  const ref = (kind: string) => ({ $ref: `#/components/${kind}/X` });
  const operation = await operationFrom(
    {
      post: {
        parameters: [ref("parameters")],
        requestBody: ref("requestBodies"),
        responses: { "200": ref("responses") },
        callbacks: { changed: ref("callbacks") },
      },
    },
    {
      components: {
        parameters: { X: { name: "q", in: "query", schema: text, examples: { one: ref("examples") } } },
        requestBodies: { X: { required: true, content: { "text/plain": { schema: text } } } },
        responses: { X: { description: "d", headers: { "X-H": ref("headers") }, links: { next: ref("links") }, content: { "text/plain": { examples: { one: ref("examples") } } } } },
        headers: { X: { required: true, schema: text, example: "h" } },
        examples: { X: { value: "v" } },
        links: { X: { operationId: "x" } },
        callbacks: { X: { "{$url}": { post: { responses: anyResponses } } } },
      },
    },
  ); // oxfmt-ignore
  expect(operation).toMatchObject({
    parameters: [
      { name: "q", pointer: "/components/parameters/X", examples: [["one", { value: "v" }]] },
    ],
    body: { required: true, pointer: "/components/requestBodies/X", content: [["text/plain", {}]] },
    callbacks: ["changed"],
    responses: [
      [
        "200",
        {
          pointer: "/components/responses/X",
          headers: [["X-H", { required: true, example: "h" }]],
          links: ["next"],
          content: [["text/plain", { examples: [["one", { value: "v" }]] }]],
        },
      ],
    ],
  });
});

test("a path item may be a reference, and what stands beside it wins", async () => {
  const item = (description: string) => ({ get: { responses: { "200": { description } } } });
  const { operations } = await compiledFrom({
    openapi: "3.1.1",
    paths: { "/p": { $ref: "#/components/pathItems/X", ...item("own") } },
    components: { pathItems: { X: { ...item("other"), post: { responses: anyResponses } } } },
  });
  expect(
    operations.map(({ method, path, responses }) => [method, path, responses[0]?.[1].description]),
  ).toEqual([
    ["GET", "/p", "own"],
    ["POST", "/p", "fine"],
  ]);
});
