import { expect, test } from "vitest";

import { anyResponses, compile, findingsOf } from "../support/definition.ts";

const get = { get: { responses: anyResponses } };
const operation = (members: object) => ({
  paths: { "/p": { get: { responses: anyResponses, ...members } } },
});
const responses = (members: object) => ({ paths: { "/p": { get: { responses: members } } } });
const parameter = (name: string, place: string, more: object = {}) => ({
  name,
  in: place,
  ...(place === "path" ? { required: true } : {}),
  schema: { type: "string" },
  ...more,
});

test.for([
  ["no operations", { paths: {} }, ["warning no-operations /paths"]],
  ["a path without slash", { paths: { p: get, "/p": get } }, ["error invalid-path /paths/p"]],
  ["a brace without partner", { paths: { "/p/{id": get } }, ["error invalid-path /paths/~1p~1{id"]],
  ["a variable without name", { paths: { "/p/{}": get } }, ["error invalid-path /paths/~1p~1{}"]],
  [
    "a path with a query",
    { paths: { "/p?a=1": get } },
    ["warning unreachable-path /paths/~1p?a=1"],
  ],
  [
    "two paths that are the same template",
    {
      paths: {
        "/p/{a}": { get: { parameters: [parameter("a", "path")], responses: anyResponses } },
        "/p/{b}": { get: { parameters: [parameter("b", "path")], responses: anyResponses } },
      },
    },
    ["error duplicate-path /paths/~1p~1{b}"],
  ],
  [
    "two such paths with different methods",
    {
      paths: {
        "/p/{a}": { get: { parameters: [parameter("a", "path")], responses: anyResponses } },
        "/p/{b}": { put: { parameters: [parameter("b", "path")], responses: anyResponses } },
      },
    },
    [],
  ],
  [
    "an undeclared path parameter",
    { paths: { "/p/{a}": get } },
    ["error undeclared-path-parameter /paths/~1p~1{a}/get"],
  ],
  [
    "an unused path parameter",
    operation({ parameters: [parameter("a", "path")] }),
    ["error unused-path-parameter /paths/~1p/get/parameters/0"],
  ],
  [
    "two parameters of one name",
    operation({
      parameters: [parameter("a", "query"), parameter("a", "query", { required: true })],
    }),
    ["error duplicate-parameter /paths/~1p/get/parameters/1"],
  ],
  [
    "one name in two places",
    operation({ parameters: [parameter("a", "query"), parameter("a", "header")] }),
    [],
  ],
  [
    "two operations of one id",
    {
      paths: {
        "/p": {
          get: { operationId: "a", responses: anyResponses },
          put: { operationId: "a", responses: anyResponses },
        },
      },
    },
    ["warning duplicate-operation-id /paths/~1p/put/operationId"],
  ],
  [
    "an undeclared security scheme",
    operation({ security: [{ key: [] }] }),
    ["warning unknown-security-scheme /paths/~1p/get/security/0/key"],
  ],
  [
    "a security scheme without name",
    {
      ...operation({}),
      components: { securitySchemes: { key: { type: "apiKey", in: "header" } } },
    },
    ["error invalid-security-scheme /components/securitySchemes/key"],
  ],
  ["no responses", responses({}), ["warning no-responses /paths/~1p/get"]],
  [
    "only 1xx",
    responses({ "100": { description: "d" } }),
    ["warning no-final-response /paths/~1p/get/responses"],
  ],
  [
    "a status that is none",
    responses({ "600": { description: "d" } }),
    ["error invalid-status /paths/~1p/get/responses/600"],
  ],
  [
    "a range in small letters",
    responses({ "2xx": { description: "d" } }),
    ["error invalid-status /paths/~1p/get/responses/2xx"],
  ],
  [
    "a response without description",
    responses({ "200": {} }),
    ["error invalid-document /paths/~1p/get/responses/200"],
  ],
  [
    "a media type that is none",
    responses({ "200": { description: "d", content: { json: {} } } }),
    ["error invalid-media-type /paths/~1p/get/responses/200/content/json"],
  ],
  [
    "a list as media type",
    responses({ "200": { description: "d", content: { "text/csv, text/plain": {} } } }),
    ["warning invalid-media-type /paths/~1p/get/responses/200/content/text~1csv, text~1plain"],
  ],
  [
    "a range as media type",
    responses({ "200": { description: "d", content: { "image/*": {}, "*/*": {} } } }),
    [],
  ],
  [
    "a header with a line break",
    responses({
      "200": {
        description: "d",
        headers: { "X-A": { schema: { type: "string" }, example: "a\r\nX-B: b" } },
      },
    }),
    ["warning header-value /paths/~1p/get/responses/200/headers/X-A"],
  ],
  [
    "a header with a character beyond Latin-1",
    responses({
      "200": {
        description: "d",
        headers: {
          "X-A": { schema: { type: "string" }, example: "5 \u20AC" },
          "X-B": { schema: { type: "string" }, example: "n\u00E4h" },
        },
      },
    }),
    ["warning header-value /paths/~1p/get/responses/200/headers/X-A"],
  ],
  [
    "an undeclared variable of a server",
    { ...operation({}), servers: [{ url: "https://example.com/{base}" }] },
    ["warning undeclared-server-variable /servers/0/url"],
  ],
  [
    "a mapping that leads nowhere",
    {
      ...operation({}),
      components: {
        schemas: {
          S: { type: "object", discriminator: { propertyName: "a", mapping: { b: "Nobody" } } },
        },
      },
    },
    ["warning unresolved-mapping /components/schemas/S/discriminator/mapping/b"],
  ],
  [
    "a component's name with a blank",
    { ...operation({}), components: { schemas: { "a b": {} } } },
    ["warning invalid-name /components/schemas/a b"],
  ],
  [
    "a callback",
    operation({ callbacks: { changed: { "{$url}": get } } }),
    ["hint callbacks-not-sent /paths/~1p/get/callbacks"],
  ],
  [
    "a body of GET",
    operation({ requestBody: { content: { "text/plain": {} } } }),
    ["hint body-ignored /paths/~1p/get/requestBody"],
  ],
  [
    "a body of GET in 3.1",
    { openapi: "3.1.1", ...operation({ requestBody: { content: { "text/plain": {} } } }) },
    [],
  ],
  [
    "an external example",
    responses({
      "200": {
        description: "d",
        content: { "text/plain": { examples: { a: { externalValue: "https://example.com" } } } },
      },
    }),
    ["hint external-example /paths/~1p/get/responses/200/content/text~1plain/examples/a"],
  ],
  [
    "something beside a reference",
    {
      ...operation({}),
      components: {
        schemas: {
          A: { properties: { b: { $ref: "#/components/schemas/B", nullable: true } } },
          B: {},
        },
      },
    },
    ["hint ref-siblings-ignored /components/schemas/A/properties/b"],
  ],
  [
    "a list without items",
    { ...operation({ parameters: [parameter("a", "query", { schema: { type: "array" } })] }) },
    ["warning array-without-items /paths/~1p/get/parameters/0"],
  ],
  [
    "a keyword that 3.0 does not have",
    operation({ parametrs: [] }),
    ["error invalid-document /paths/~1p/get/parametrs"],
  ],
  [
    "a type that 3.0 does not have",
    { ...operation({}), components: { schemas: { A: { type: "strng" } } } },
    ["error invalid-document /components/schemas/A/type"],
  ],
  [
    "a missing title",
    { info: { version: "1" }, ...operation({}) },
    ["error invalid-document /info"],
  ],
] as const)("%s", async ([, document, expected]) => {
  // oxfmt-ignore
  expect(await findingsOf(document)).toEqual(expected);
});

const swagger = { swagger: "2.0" };
const field = (name: string, place: string, more: object = {}) => ({
  name,
  in: place,
  type: "string",
  ...more,
});

test.for([
  [
    "a type consumed that is none",
    { consumes: ["json"], ...operation({}) },
    ["error invalid-media-type /consumes/0"],
  ],
  [
    "a file without multipart",
    operation({ parameters: [field("f", "formData", { type: "file" })] }),
    ["warning file-without-multipart /paths/~1p/get"],
  ],
  [
    "two bodies",
    operation({
      parameters: ["a", "b"].map((name) => ({ name, in: "body", schema: {} })),
    }),
    ["error invalid-parameter /paths/~1p/get"],
  ],
  [
    "an undeclared scheme",
    { security: [{ key: [] }], ...operation({}) },
    ["warning unknown-security-scheme /security/0/key"],
  ],
  [
    "a required property that is not listed",
    { ...operation({}), definitions: { A: { type: "object", required: ["a"] } } },
    [],
  ],
] as const)("2.0: %s", async ([, document, expected]) => {
  // oxfmt-ignore
  expect(await findingsOf({ ...swagger, ...document })).toEqual(expected);
});

test("findings of a YAML text name line and column", async () => {
  const { findings } = await compile(`openapi: 3.0.4
info: {title: t, version: "1"}
paths:
  /bets/{id}:
    get:
      responses:
        "200":
          description: d
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Bett"}
components:
  schemas: {Bet: {type: object}}
`);
  expect(findings).toMatchObject([
    { code: "undeclared-path-parameter", line: 5, column: 5 },
    {
      code: "unresolved-ref",
      line: 11,
      column: 24,
      message: "#/components/schemas/Bett does not exist; did you mean Bet?",
    },
  ]);
});

test("errors come before warnings, and each in the order of the text", async () => {
  const { findings } = await compile(`openapi: 3.0.4
info: {title: t, version: "1"}
paths:
  /a?b: {get: {responses: {"200": {description: d}}}}
  /c{: {get: {responses: {"200": {description: d}}}}
  d: {get: {responses: {"200": {description: d}}}}
`);
  expect(findings.map(({ severity, line }) => `${severity} ${line}`)).toEqual([
    "error 5",
    "error 6",
    "warning 4",
  ]);
});

test("messages are one line", async () => {
  const { findings } = await compile({
    openapi: "3.0.4",
    paths: { "/p": { get: { foo: 1, responses: { "200": { $ref: "a\nb" } } } } },
  });
  expect(findings.length).toBeGreaterThan(1);
  expect(findings.every(({ message }) => !message.includes("\n"))).toBe(true);
});

test("a schema that is true or false keeps no other mistake from being found", async () => {
  const schema = (schema: unknown) => ({ content: { "application/json": { schema } } });
  const document = {
    openapi: "3.1.0",
    paths: {
      "/p": {
        post: {
          parameters: [{ name: "q", in: "query", schema: true }],
          requestBody: schema(false),
          responses: { "200": { description: "d", ...schema(true) } },
        },
      },
      "/q": { get: { responses: { "200": { description: 1 } } } },
    },
  };
  expect((await findingsOf(document)).join("\n")).toMatch(/^error invalid-document/m);
  expect((await findingsOf(document)).join("\n")).not.toContain("parser-skipped");
});
