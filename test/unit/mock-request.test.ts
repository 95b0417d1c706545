import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createRequestReader } from "../../functions/mock/request/request.ts";
import type { RequestReading } from "../../functions/mock/request/reading.ts";
import type { Parameter, Style } from "../../lib/compiled/compiled.ts";
import { compileDefinition } from "../../lib/definition/compile.ts";
import { createValidators } from "../../lib/schema/validator.ts";
import { mockOf } from "../support/mock.ts";
import { write } from "../support/sample-request.ts";

type Place = Exclude<Parameter["in"], "querystring">;
type Read = (text: string) => RequestReading | Promise<RequestReading>;

const list = { type: "array", items: { type: "string" } };
const map = { type: "object", additionalProperties: { type: "string" } };

const styles: readonly (readonly [Place, Style, boolean])[] = [
  ["path", "simple", false],
  ["path", "simple", true],
  ["path", "label", false],
  ["path", "label", true],
  ["path", "matrix", false],
  ["path", "matrix", true],
  ["query", "form", false],
  ["query", "form", true],
  ["query", "spaceDelimited", false],
  ["query", "pipeDelimited", false],
  ["header", "simple", false],
  ["header", "simple", true],
  ["cookie", "form", false],
  ["cookie", "form", true],
];

/** Answers a function that reads the text of the one parameter of an operation from its place. */
async function readerOf(parameter: { in: Place } & Record<string, unknown>): Promise<Read> {
  const path = parameter.in === "path" ? "/p/{v}" : "/p";
  const operation = {
    parameters: [{ name: "v", required: parameter.in === "path", ...parameter }],
    responses: { 200: { description: "fine" } },
  };
  const info = { title: "t", version: "1" };
  const text = JSON.stringify({ openapi: "3.1.0", info, paths: { [path]: { get: operation } } });
  const { compiled } = await compileDefinition(text, { now: () => 0 });
  const [first] = compiled?.operations ?? [];
  if (compiled === undefined || first === undefined) throw new Error("the definition is refused");
  const read = createRequestReader(compiled, createValidators(compiled.schemas));
  return (raw) => {
    const field = { header: "v", cookie: "cookie", path: "", query: "" }[parameter.in];
    return read(first, {
      pathValues: { v: raw },
      rawQuery: parameter.in === "query" ? raw : "",
      headers: new Headers(field === "" ? {} : { [field]: raw }),
      body: new Uint8Array(),
    });
  };
}

// Dots, pipes and spaces mean what they say in some styles; and what is empty has no form of its own in most.
const word = fc.stringMatching(/^[a-z0-9,;=&+%/?#äß]{1,6}$/);
const plainWord = fc.stringMatching(/^[a-z0-9]{1,6}$/);

test.for(styles)(
  "a list in a %s, style %s, exploded %s, is read as it was written",
  async ([place, style, explode]) => {
    const read = await readerOf({ in: place, style, explode, schema: list });
    const encode = place === "header" ? (text: string) => text : encodeURIComponent;
    const items = fc.array(place === "header" ? plainWord : word, { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(items, async (value) => {
        const { parameters } = await read(write({ name: "v", style, explode, encode }, value));
        expect(parameters.get(`${place}/v`)).toEqual(value);
      }),
      { numRuns: 60 },
    );
  },
);

test.for(styles)(
  "an object in a %s, style %s, exploded %s, is read as it was written",
  async ([place, style, explode]) => {
    const read = await readerOf({ in: place, style, explode, schema: map });
    const encode = place === "header" ? (text: string) => text : encodeURIComponent;
    const keys = fc.constantFrom("a", "bc", "__proto__", "constructor", "toString");
    const values = place === "header" ? plainWord : word;
    await fc.assert(
      fc.asyncProperty(fc.dictionary(keys, values, { minKeys: 1 }), async (value) => {
        const { parameters } = await read(write({ name: "v", style, explode, encode }, value));
        expect(Object.entries(parameters.get(`${place}/v`) as object)).toEqual(
          Object.entries(value),
        );
      }),
      { numRuns: 60 },
    );
  },
);

test("a deepObject of any form is read as it was written", async () => {
  const read = await readerOf({ in: "query", style: "deepObject", schema: { type: "object" } });
  const key = fc.constantFrom("a", "bc", "__proto__", "constructor");
  const { tree } = fc.letrec((tie) => ({
    tree: fc.dictionary(key, fc.oneof({ maxDepth: 4 }, plainWord, tie("tree")), { minKeys: 1 }),
  }));
  await fc.assert(
    fc.asyncProperty(tree, async (value) => {
      const written = {
        name: "v",
        style: "deepObject",
        explode: true,
        encode: encodeURIComponent,
      } as const;
      const { parameters } = await read(write(written, value));
      expect(JSON.stringify(parameters.get("query/v"))).toBe(JSON.stringify(value));
    }),
    { numRuns: 60 },
  );
});

const everything = {
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  paths: {
    "/{label}/{matrix}/{simple}": {
      post: {
        parameters: [
          { name: "label", in: "path", required: true, style: "label", explode: true, schema: map },
          { name: "matrix", in: "path", required: true, style: "matrix", schema: list },
          { name: "simple", in: "path", required: true, schema: { type: "number" } },
          { name: "deep", in: "query", style: "deepObject", schema: { type: "object" } },
          { name: "form", in: "query", schema: { ...map, properties: { n: { type: "integer" } } } },
          { name: "pipes", in: "query", style: "pipeDelimited", explode: false, schema: list },
          { name: "json", in: "query", content: { "application/json": { schema: list } } },
          { name: "x-list", in: "header", schema: list },
          { name: "sid", in: "cookie", schema: list },
        ],
        requestBody: {
          content: {
            "application/json": { schema: { type: "object", required: ["a"] } },
            "application/x-www-form-urlencoded": {
              schema: { type: "object", properties: { l: list, o: map } },
            },
            "text/plain": { schema: { type: "integer" } },
            "multipart/form-data": { schema: { type: "object" } },
            "application/xml": { schema: { type: "object" } },
          },
        },
        responses: { 200: { description: "fine" } },
      },
    },
  },
};

test("whatever the bytes, a request is answered, and never as a fault of the mock", async () => {
  const mock = await mockOf(everything);
  const piece = fc.stringMatching(/^[a-z0-9.;=,|&+%[\]{}"_ \\-]{0,12}$/);
  const segment = piece.map((text) => `;matrix=${text}`.replaceAll(" ", ""));
  const target = fc
    .tuple(
      piece,
      segment,
      piece,
      fc.array(
        fc.tuple(
          fc.constantFrom("deep", "deep[a]", "deep[][0]", "n", "pipes", "json", "__proto__"),
          piece,
        ),
      ),
    )
    .map(([a, b, c, query]) => `/.${a}/${b}/${c}?${query.map((pair) => pair.join("=")).join("&")}`);
  const type = fc.constantFrom(
    "application/json",
    "application/x-www-form-urlencoded",
    "text/plain;charset=utf-16",
    "multipart/form-data",
    "application/xml",
    "x",
    "",
  );
  const coding = fc.constantFrom("identity", "gzip", "deflate", "br", "gzip, gzip", "zstd");
  await fc.assert(
    fc.asyncProperty(
      target,
      fc.record({ type, coding, list: piece, cookie: piece }),
      fc.oneof(
        fc.uint8Array(),
        fc.json().map((text) => new TextEncoder().encode(text)),
        piece.map((text) => new TextEncoder().encode(text)),
      ),
      async (path, fields, bytes) => {
        const headers = {
          "Content-Type": fields.type,
          "Content-Encoding": fields.coding,
          "X-List": fields.list,
          Cookie: `sid=${fields.cookie}`,
        };
        const { status } = await mock.send("POST", path, { headers, body: Uint8Array.from(bytes) });
        expect([200, 400, 404, 413, 415, 422]).toContain(status);
      },
    ),
    { numRuns: 400 },
  );
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test.for([
  ["a list of 200,000 items", `?pipes=${"a|".repeat(200_000)}`, ""],
  ["10,000 keys", `?${Array.from({ length: 10_000 }, (_, at) => `k${at}=1`).join("&")}`, ""],
  [
    "a deepObject of 50,000 places",
    `?${Array.from({ length: 50_000 }, (_, at) => `deep[${at}]=1`).join("&")}`,
    "",
  ],
  ["a form of 1,000,000 items", "", "l=1&".repeat(1_000_000)],
  ["a form of 100,000 names", "", Array.from({ length: 100_000 }, (_, at) => `k${at}=1`).join("&")],
  ["a form of 1,000,000 backslashes", "", `o=${"\\".repeat(1_000_000)}`],
] as const)("%s is read to its end", async ([, query, form]) => {
  const mock = await mockOf(everything);
  const { status } = await mock.send("POST", `/.a=b/;matrix=c/1${query}`, {
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: form,
  });
  expect([200, 422]).toContain(status);
});
