import { expect, test } from "vitest";
import type { Media } from "../../lib/compiled/compiled.ts";
import { compiledOf, exampleOf, responseOf } from "../support/compiled.ts";
import { mockFrom } from "../support/mock.ts";

const json = "application/json";
const xml = "application/xml";
const text = "text/plain";

test.for<[about: string, types: string[], accept: string | undefined, type: string | 406]>([
  ["without Accept JSON comes first", [xml, text, json], undefined, json],
  ["without JSON the document's order decides", [text, xml], undefined, text],
  ["an empty Accept is none", [xml, json], "", json],
  ["anything is JSON first", [xml, json], "*/*", json],
  ["quality decides", [json, xml], "application/json;q=0.5, application/xml", xml],
  ["the order of Accept does not", [json, xml], "application/xml, application/json", json],
  ["what is named beats a range of the same quality", [json, xml], "application/xml, */*", xml],
  ["a range of one type beats the range of all", [json, text], "text/*, */*", text],
  ["quality zero excludes", [json, xml], "*/*, application/json;q=0", xml],
  ["quality zero of all leaves nothing", [json], "*/*;q=0", 406],
  [
    "what a browser sends prefers XML to JSON",
    [json, xml],
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    xml,
  ],
  ["nothing fits", [json], "image/png", 406],
  ["a quality that is no number is one", [json, xml], "application/xml;q=x", xml],
  ["names are compared without case", [json], "Application/JSON", json],
  [
    "parameters must match",
    ["application/json;v=1", "application/json;v=2"],
    "application/json;v=2",
    "application/json;v=2",
  ],
  ["parameters that nothing has are left out", [json], "application/json; charset=utf-8", json],
  ["a client of JSON takes a suffix", ["application/hal+json"], json, "application/hal+json"],
  ["a plain JSON is better than a suffix", ["application/hal+json", json], json, json],
  [
    "a suffix that was not asked for is not given for another",
    ["application/hal+json"],
    "application/vnd.a+json",
    406,
  ],
  ["a quoted comma splits nothing", [json], 'text/x;a="b,c", application/json', json],
  ["a quote that never ends is read once", [json], `${json}, "${'\\"'.repeat(500_000)}`, json],
  ["a range of all is JSON for a structure", ["*/*"], undefined, json],
  [
    "a range of all is what is asked for, where it fits",
    ["*/*"],
    "application/hal+json",
    "application/hal+json",
  ],
  ["a range of all is no XML for a structure", ["*/*"], "application/xml", 406],
  ["a range of all is no text for a structure", ["*/*"], "text/plain", 406],
  ["what no media type is goes out as JSON", ["json"], json, json],
])("%s", async ([, types, accept, type]) => {
  const content = types.map((key) => [key, exampleOf({ a: 1 })] as const);
  const mock = mockFrom(compiledOf([{ responses: [responseOf("200", content)] }]));
  const answer = await mock.send("GET", "/p", accept === undefined ? {} : { headers: { accept } });
  expect(type === 406 ? answer.status : answer.headers.get("content-type")).toBe(type);
});

const binary = { type: "string", format: "binary" };

test.for<[about: string, key: string, media: Partial<Media>, accept: string, type: string]>([
  ["a text", "*/*", exampleOf("hi"), "*/*", "text/plain"],
  ["bytes", "*/*", { schema: "binary" }, "*/*", "application/octet-stream"],
  ["an image", "image/*", exampleOf("x"), "*/*", "image/png"],
  ["an image that is asked for", "image/*", exampleOf("x"), "image/webp", "image/webp"],
  ["a text that is asked for", "text/*", exampleOf("x"), "text/csv", "text/csv"],
])("a declared range becomes a concrete type: %s", async ([, key, media, accept, type]) => {
  const responses = [responseOf("200", [[key, media]])];
  const mock = mockFrom(compiledOf([{ responses }], { schemas: { binary } }));
  const answer = await mock.send("GET", "/p", { headers: { accept } });
  expect(answer.headers.get("content-type")).toBe(type);
});

test("an error goes out in its first type, whatever is accepted", async () => {
  const content = [["application/problem+json", exampleOf({ title: "gone" })]] as const;
  const mock = mockFrom(compiledOf([{ responses: [responseOf("404", content)] }]));
  const answer = await mock.send("GET", "/p", { headers: { accept: "image/png" } });
  expect(answer.status).toBe(404);
  expect(answer.json).toEqual({ title: "gone" });
});

test.for(["204", "205", "304"])("%s never has a body or a type", async (status) => {
  const responses = [responseOf(status, [[json, exampleOf(1)]])];
  const mock = mockFrom(compiledOf([{ responses }]));
  const answer = await mock.send("GET", "/p", { headers: { accept: "image/png" } });
  expect(String(answer.status)).toBe(status);
  expect(answer.text).toBe("");
  expect(answer.headers.get("content-type")).toBeNull();
});

test("a named example decides among the types that have it", async () => {
  const content = [
    [json, { examples: [["a", { value: 1 }]] }],
    [
      xml,
      {
        examples: [
          ["a", { value: "<a/>" }],
          ["b", { value: "<b/>" }],
        ],
      },
    ],
  ] as const;
  const mock = mockFrom(compiledOf([{ responses: [responseOf("200", content)] }]));
  const answer = await mock.send("GET", "/p", { headers: { prefer: "example=b" } });
  expect(answer.text).toBe("<b/>");
  expect(answer.headers.get("content-type")).toBe(xml);
});
