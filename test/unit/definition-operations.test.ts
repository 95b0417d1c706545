import { expect, test } from "vitest";

import { anyResponses, compiledFrom, operationFrom } from "../support/definition.ts";

const swagger = { swagger: "2.0" };
const text = { type: "string" };

test.for([
  ["query", {}, { style: "form", explode: true }],
  ["header", {}, { style: "simple", explode: false }],
  ["path", {}, { style: "simple", explode: false, required: true }],
  ["cookie", {}, { style: "form", explode: true }],
  ["query", { style: "deepObject" }, { style: "deepObject", explode: false }],
  ["query", { style: "pipeDelimited", explode: true }, { style: "pipeDelimited", explode: true }],
  ["path", { style: "label", explode: true }, { style: "label", explode: true }],
  [
    "query",
    { allowReserved: true, allowEmptyValue: true, required: true },
    { allowReserved: true, allowEmptyValue: true, required: true },
  ],
] as const)("3.x: a parameter in %s with %j is %j", async ([place, more, expected]) => {
  // oxfmt-ignore
  const parameter = { name: "a", in: place, required: place === "path", schema: text, ...more };
  const { operations } = await compiledFrom({
    paths: {
      [place === "path" ? "/p/{a}" : "/p"]: {
        get: { parameters: [parameter], responses: anyResponses },
      },
    },
  });
  expect(operations[0]?.parameters[0]).toMatchObject({ name: "a", in: place, ...expected });
});

test.for([
  ["query", undefined, { style: "form", explode: false }],
  ["query", "csv", { style: "form", explode: false }],
  ["query", "ssv", { style: "spaceDelimited", explode: false }],
  ["query", "tsv", { style: "tabDelimited", explode: false }],
  ["query", "pipes", { style: "pipeDelimited", explode: false }],
  ["query", "multi", { style: "form", explode: true }],
  ["header", "csv", { style: "simple", explode: false }],
  ["header", "pipes", { style: "pipeDelimited", explode: false }],
] as const)(
  "2.0: a list in %s with collectionFormat %s is %j",
  async ([place, collectionFormat, expected]) => {
    const parameter = {
      name: "a",
      in: place,
      type: "array",
      items: text,
      ...(collectionFormat === undefined ? {} : { collectionFormat }),
    };
    const operation = await operationFrom(
      { get: { parameters: [parameter], responses: anyResponses } },
      swagger,
    );
    expect(operation.parameters).toMatchObject([{ name: "a", in: place, ...expected }]);
  },
);

test("parameters of the path item count, replaced by the operation's of the same name and place", async () => {
  const { parameters } = await operationFrom({
    parameters: [
      { name: "page", in: "query", schema: text },
      { name: "page", in: "header", schema: text },
    ],
    get: {
      parameters: [{ name: "page", in: "query", required: true, schema: text }],
      responses: anyResponses,
    },
  });
  expect(parameters.map((parameter) => [parameter.name, parameter.in, parameter.required])).toEqual(
    [
      ["page", "query", true],
      ["page", "header", false],
    ],
  );
});

test.for([
  ["3.0.4", []],
  ["2.0", ["Accept"]],
] as const)("in %s a header parameter Accept counts as: %j", async ([version, expected]) => {
  const v2 = version === "2.0";
  const parameter = { name: "Accept", in: "header", ...(v2 ? text : { schema: text }) };
  const { parameters } = await operationFrom(
    { get: { parameters: [parameter], responses: anyResponses } },
    v2 ? swagger : {},
  );
  expect(parameters.map(({ name }) => name)).toEqual(expected);
});

test("a parameter may have content instead of a schema", async () => {
  const content = { "application/json": { schema: text } };
  const { parameters } = await operationFrom({
    get: { parameters: [{ name: "a", in: "query", content }], responses: anyResponses },
  });
  expect(parameters[0]?.schema).toBeUndefined();
  expect(parameters[0]?.content).toMatchObject(["application/json", { schema: "1" }]);
});

test("2.0: a body is read as each type that is consumed", async () => {
  const body = { name: "b", in: "body", required: true, schema: { type: "object" } };
  const operation = await operationFrom(
    { post: { parameters: [body], responses: anyResponses } },
    { ...swagger, consumes: ["application/json", "application/xml"] },
  );
  expect(operation.parameters).toEqual([]);
  expect(operation.body).toMatchObject({
    required: true,
    content: [
      ["application/json", { schema: "1" }],
      ["application/xml", { schema: "1" }],
    ],
  });
});

test.for([
  ["nothing", [], [], ["application/x-www-form-urlencoded"]],
  [
    "both kinds",
    ["multipart/form-data", "application/x-www-form-urlencoded"],
    [],
    ["multipart/form-data", "application/x-www-form-urlencoded"],
  ],
  ["JSON", ["application/json"], [], ["application/x-www-form-urlencoded"]],
  [
    "nothing, with a file",
    [],
    [{ name: "f", in: "formData", type: "file" }],
    ["multipart/form-data"],
  ],
] as const)(
  "2.0: form parameters are a form where %s is consumed",
  async ([, consumes, more, expected]) => {
    // oxfmt-ignore
    const parameters = [
    { name: "a", in: "formData", type: "integer", required: true },
    { name: "tags", in: "formData", type: "array", items: text, collectionFormat: "multi" },
    ...more,
  ];
    const { operations, schemas } = await compiledFrom({
      ...swagger,
      paths: { "/p": { post: { consumes, parameters, responses: anyResponses } } },
    });
    const { body } = operations[0] ?? {};
    expect(body?.content.map(([type]) => type)).toEqual(expected);
    const media = body?.content[0]?.[1];
    expect(media?.encoding).toEqual({ tags: { style: "form", explode: true } });
    const schema = schemas[media?.schema ?? ""] as {
      properties: Record<string, { $ref: string }>;
      required: string[];
    };
    expect(schema.required).toEqual(["a"]);
    const kinds = Object.values(schema.properties).map(
      ({ $ref }) => schemas[$ref.slice("#/$defs/".length)],
    );
    expect(kinds.slice(0, 2)).toEqual([{ type: "integer" }, { type: "array", items: text }]);
    expect(kinds.slice(2)).toEqual(more.map(() => ({ type: "string", format: "binary" })));
  },
);

test("2.0: a response is answered in each type that is produced, with its own example", async () => {
  const response = {
    description: "d",
    schema: text,
    examples: { "application/xml": "<a/>", "text/plain": "a" },
  };
  const operation = await operationFrom(
    { get: { produces: ["application/json", "application/xml"], responses: { "200": response } } },
    swagger,
  );
  const content = operation.responses[0]?.[1].content.map(([type, { examples }]) => [
    type,
    examples,
  ]);
  expect(content).toEqual([
    ["application/json", []],
    ["application/xml", [["", { value: "<a/>" }]]],
    ["text/plain", [["", { value: "a" }]]],
  ]);
});

test.for([
  ["without schema", { description: "d" }, []],
  ["with a schema", { description: "d", schema: text }, ["application/json"]],
  ["with a file", { description: "d", schema: { type: "file" } }, ["application/octet-stream"]],
] as const)("2.0: a response %s where nothing is produced", async ([, response, expected]) => {
  const operation = await operationFrom({ get: { responses: { "200": response } } }, swagger);
  expect(operation.responses[0]?.[1].content.map(([type]) => type)).toEqual(expected);
});

test("responses, examples and media types keep the order of the document", async () => {
  const { operations } = await compiledFrom(`openapi: 3.0.4
info: {title: t, version: "1"}
paths:
  /p:
    get:
      responses:
        default: {description: d}
        404: {description: d}
        "200":
          description: d
          content:
            text/plain: {examples: {"2": {value: b}, "1": {value: a}}}
            application/json: {}
`);
  const responses = operations[0]?.responses ?? [];
  expect(responses.map(([key]) => key)).toEqual(["default", "404", "200"]);
  const content = responses[2]?.[1].content ?? [];
  expect(content.map(([type]) => type)).toEqual(["text/plain", "application/json"]);
  expect(content[0]?.[1].examples.map(([name]) => name)).toEqual(["2", "1"]);
});

test("a lone example has no name and comes last", async () => {
  const media = { example: null };
  const { responses } = await operationFrom({
    get: { responses: { "200": { description: "d", content: { "text/plain": media } } } },
  });
  expect(responses[0]?.[1].content[0]?.[1].examples).toEqual([["", { value: null }]]);
});

test.for([
  ["https://example.com", [""]],
  ["https://example.com/", [""]],
  ["https://example.com/v1/", ["/v1"]],
  ["http://example.com:8080/a/../b?x=1#y", ["/b"]],
  ["//example.com/v1", ["/v1"]],
  ["/v1", ["/v1"]],
  ["v1", ["/v1"]],
  ["./v1", ["/v1"]],
  ["{scheme}://example.com/v1", ["/v1"]],
  ["https://{host}:{port}/v1", ["/v1"]],
  ["https://example.com/{base}/x", ["/{base}/x"]],
  ["{url}/x", ["/one/x", "/two/x"]],
] as const)("a server at %s is served below %j", async ([url, expected]) => {
  const variables = {
    scheme: { default: "https" },
    host: { default: "example.com" },
    port: { default: "443" },
    base: { default: "v1", enum: ["v1", "v2"] },
    url: {
      default: "https://example.com/one",
      enum: ["https://example.com/one", "http://example.com/two"],
    },
  };
  const { servers } = await operationFrom(
    { get: { responses: anyResponses } },
    { servers: [{ url, variables }] },
  );
  expect(servers.map(({ path }) => path)).toEqual(expected);
  expect(Object.keys(servers[0]?.variables ?? {})).toEqual(url.includes("{base}") ? ["base"] : []);
});

test("the nearest list of servers counts", async () => {
  const { servers } = await operationFrom(
    {
      servers: [{ url: "/item" }],
      get: { servers: [{ url: "/operation" }], responses: anyResponses },
    },
    { servers: [{ url: "/root" }] },
  );
  expect(servers).toEqual([{ path: "/operation", variables: {} }]);
});

test.for([
  ["/api/v1/", "/api/v1"],
  ["/", ""],
] as const)("2.0: basePath %s is the prefix %s", async ([basePath, path]) => {
  const { servers } = await operationFrom(
    { get: { responses: anyResponses } },
    { ...swagger, host: "example.com", basePath },
  );
  expect(servers).toEqual([{ path, variables: {} }]);
});

test.for([
  ["the document's", undefined, [[["key", { scopes: [] }]]]],
  ["none", [], []],
  [
    "anonymous or one of two",
    [{}, { oauth: ["read"], key: [] }],
    [
      [],
      [
        ["oauth", { scopes: ["read"] }],
        ["key", { scopes: [] }],
      ],
    ],
  ],
] as const)("security of an operation: %s", async ([, security, expected]) => {
  // oxfmt-ignore
  const operation = await operationFrom(
    { get: { responses: anyResponses, ...(security === undefined ? {} : { security }) } },
    {
      security: [{ key: [] }],
      components: {
        securitySchemes: {
          key: { type: "apiKey", in: "header", name: "X-Key" },
          oauth: { type: "oauth2", flows: { implicit: { authorizationUrl: "https://example.com", scopes: { read: "" } } } },
        },
      },
    },
  );
  expect(operation.security).toEqual(expected);
});

test("security schemes of 2.0 and 3.x become the same", async () => {
  const v2 = await compiledFrom({
    ...swagger,
    securityDefinitions: { b: { type: "basic" }, k: { type: "apiKey", in: "query", name: "q" } },
  });
  const v3 = await compiledFrom({
    components: {
      securitySchemes: {
        b: { type: "http", scheme: "Basic" },
        k: { type: "apiKey", in: "query", name: "q" },
      },
    },
  });
  expect(v2.securitySchemes).toEqual(v3.securitySchemes);
  expect(v3.securitySchemes["b"]).toEqual({ type: "http", scheme: "basic" });
});

test.for([
  [{}, true],
  [{ "x-deprecated-at": "2026-01-01T00:00:00Z" }, 1767225600],
  [{ "x-deprecated-at": 1767225600 }, 1767225600],
  [{ "x-deprecated-at": "soon" }, true],
] as const)("a deprecated operation with %j is deprecated: %s", async ([more, expected]) => {
  const { deprecated } = await operationFrom({
    get: { deprecated: true, responses: anyResponses, ...more },
  });
  expect(deprecated).toBe(expected);
});

test("operations without id, or with one that is taken, are called by method and path", async () => {
  const { operations } = await compiledFrom({
    paths: {
      "/a": {
        get: { operationId: "x", responses: anyResponses },
        put: { operationId: "x", responses: anyResponses },
      },
      "/b": { get: { responses: anyResponses } },
    },
  });
  expect(operations.map(({ id }) => id)).toEqual(["x", "PUT /a", "GET /b"]);
});

test("the same text gives the same bytes, and they hold the text as given", async () => {
  const given = "openapi: 3.0.4 # a comment\ninfo: {title: t, version: '1'}\npaths: {}\n";
  const [first, second] = [await compiledFrom(given), await compiledFrom(given)];
  expect(JSON.stringify(first)).toBe(JSON.stringify(second));
  expect(first.source).toEqual({ text: given, syntax: "yaml" });
});

test("no member of a compiled definition is undefined", async () => {
  const compiled = await compiledFrom({ paths: { "/p": { get: { responses: anyResponses } } } });
  expect(JSON.parse(JSON.stringify(compiled))).toStrictEqual(compiled);
});
