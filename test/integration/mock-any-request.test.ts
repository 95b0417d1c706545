import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Sent } from "../support/mock.ts";
import { mockOf } from "../support/mock.ts";

const parameter = (name: string, place: string, more: object) => ({ name, in: place, required: place === "path", ...more }); // oxfmt-ignore
const tree = { $ref: "#/components/schemas/Tree" };
const document = {
  openapi: "3.1.1",
  info: { title: "Any", version: "1" },
  servers: [{ url: "/{stage}", variables: { stage: { default: "v1" } } }],
  paths: {
    "/pets/{id}": {
      parameters: [parameter("id", "path", { schema: { type: "integer" } })],
      get: {
        security: [{}, { key: [] }],
        parameters: [
          parameter("filter", "query", { style: "deepObject", schema: { type: "object" } }),
          parameter("ids", "query", {
            style: "pipeDelimited",
            explode: false,
            schema: { type: "array" },
          }),
          parameter("json", "query", { content: { "application/json": { schema: tree } } }),
          parameter("sid", "cookie", { schema: { type: ["integer", "null"] } }),
          parameter("X-Range", "header", { schema: { type: "array", items: { type: "number" } } }),
        ],
        responses: {
          200: {
            description: "a pet",
            headers: { "X-Total": { schema: { type: "integer" } } },
            content: {
              "application/json": { schema: tree },
              "text/event-stream": { example: [{ data: 1 }] },
              "*/*": { example: "any" },
            },
          },
          "4XX": {
            description: "wrong",
            content: { "application/json": { examples: { one: { value: 1 }, two: { value: 2 } } } },
          },
        },
      },
      post: {
        requestBody: {
          required: true,
          content: {
            "application/json": { schema: tree },
            "application/x-www-form-urlencoded": {
              schema: { type: "object", properties: { tags: { type: "array" } } },
            },
            "multipart/form-data": { schema: { type: "object" } },
            "application/xml": { schema: { type: "object" } },
            "text/*": { schema: { type: "string", pattern: "^(a+)+$" } },
          },
        },
        responses: { 201: { description: "made" } },
      },
    },
    "/files/{name}.{ext}": {
      parameters: [
        parameter("name", "path", { schema: {} }),
        parameter("ext", "path", { schema: {} }),
      ],
      get: { security: [{ basic: [] }], responses: { default: { description: "any" } } },
    },
  },
  components: {
    schemas: {
      Tree: {
        type: "object",
        properties: { children: { type: "array", items: tree, uniqueItems: true } },
      },
    },
    securitySchemes: {
      key: { type: "apiKey", in: "query", name: "key" },
      basic: { type: "http", scheme: "basic" },
    },
  },
};

const bytes = fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)) }); // oxfmt-ignore
const value = fc.oneof(
  bytes,
  fc.constantFrom(
    "*/*",
    "application/json",
    "a/b;q=0",
    "code=404",
    "example=two",
    "dynamic=true, seed=x",
    "explain",
    "handling=lenient",
    "Basic dTpw",
    "gzip",
    "7",
    "text/x",
    "multipart/form-data; boundary=x",
    "application/xml",
    "sid=1; sid=2",
  ),
);
const segment = fc.oneof(
  bytes,
  fc.constantFrom(
    "pets",
    "files",
    "1",
    "a.b",
    "..",
    ".",
    "",
    "%2F",
    "%",
    "__apirator",
    "explain",
    "docs",
    "v1",
  ),
);
const query = fc.oneof(
  bytes,
  fc.constantFrom(
    "filter[a][b]=1",
    "filter[__proto__]=1",
    "filter[",
    "ids=1|2",
    "json={",
    "__code=404",
    "__dynamic=true",
    "key=1",
    "path=/pets/1&method=POST&header=a",
    "%zz=1",
  ),
);
const target = fc
  .tuple(
    fc.constantFrom("", "/", "//", "http://x", "*", "\\"),
    fc.array(segment, { maxLength: 4 }),
    fc.array(query, { maxLength: 3 }),
  )
  .map(
    ([start, segments, pairs]) =>
      `${start}${segments.join("/")}${pairs.length === 0 ? "" : "?"}${pairs.join("&")}`,
  );
const likely = fc
  .tuple(
    fc.constantFrom(
      "/pets/1",
      "/v1/pets/x",
      "/files/a.b",
      "/__apirator/explain",
      "/__apirator/docs",
    ),
    fc.array(query, { maxLength: 3 }),
  )
  .map(([path, pairs]) => `${path}?${pairs.join("&")}`);
const request = fc.record({
  method: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("GET", "POST") },
    { weight: 2, arbitrary: fc.constantFrom("HEAD", "OPTIONS", "DELETE", "CONNECT", "TRACE", "QUERY") }, // oxfmt-ignore
    { weight: 1, arbitrary: bytes },
  ),
  target: fc.oneof(target, { weight: 3, arbitrary: likely }),
  headers: fc.dictionary(
    fc.constantFrom(
      "accept",
      "prefer",
      "content-type",
      "content-encoding",
      "authorization",
      "cookie",
      "origin",
      "access-control-request-method",
      "x-range",
      "expect",
    ),
    value,
  ),
  body: fc.option(fc.uint8Array({ maxLength: 60 }), { nil: undefined }),
});

type Anything = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

function sentOf({ headers, body }: Anything): Sent {
  // A field that the web's `Headers` refuses never came through Node's parser either.
  const fit = Object.entries(headers).filter(([, text]) => !/[\0\r\n]/.test(text));
  return {
    headers: Object.fromEntries(fit),
    ...(body !== undefined && { body: new Uint8Array(body) }),
  };
}

test("no request makes a mock throw or answer that the fault is its own", async () => {
  const mock = await mockOf(document);
  await fc.assert(
    fc.asyncProperty(request, async (any) => {
      const answer = await mock.send(any.method, any.target, sentOf(any));
      expect(answer.status).toBeGreaterThanOrEqual(200);
      expect(answer.text).not.toContain("/problems/internal");
      expect(answer.status).not.toBe(500);
    }),
    { numRuns: 1500 },
  );
});

test("the same request is answered with the same bytes, by another mock too", async () => {
  const mocks = await Promise.all([
    mockOf(document, { seed: "s" }),
    mockOf(document, { seed: "s" }),
  ]);
  await fc.assert(
    fc.asyncProperty(request, async (any) => {
      const answers = await Promise.all(mocks.map((mock) => mock.send(any.method, any.target, sentOf(any)))); // oxfmt-ignore
      const [one, other] = answers.map(({ status, headers, text }) => [status, [...headers], text]);
      expect(one).toEqual(other);
    }),
    { numRuns: 300 },
  );
});
