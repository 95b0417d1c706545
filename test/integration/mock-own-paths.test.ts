import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { onlyDocument } from "../../cli/document.ts";
import type { Compiled } from "../../lib/compiled/compiled.ts";
import { compiledOf, exampleOf, responseOf } from "../support/compiled.ts";
import { mockFrom, mockOf as definedBy } from "../support/mock.ts";

const answers = [responseOf("200", [["application/json", exampleOf(1)]])];
const source = { text: "openapi: 3.1.1\ninfo: {title: Pets}\n", syntax: "yaml" } as const;
const document = { openapi: "3.1.1", info: { title: "Pets" } };

function mockOf(paths: readonly string[] = ["/p"], more: Partial<Compiled> = {}) {
  return mockFrom(compiledOf(paths.map((path) => ({ path, responses: answers })), { source, ...more })); // oxfmt-ignore
}

test.for(["/__apirator/health", "/__health"])("%s says that the mock is well", async (path) => {
  const answer = await mockOf().send("GET", path);
  expect([answer.status, answer.json]).toEqual([200, { status: "ok", operations: 1 }]);
});

test.for<[path: string, type: string]>([
  ["/__apirator/definition", "application/yaml"],
  ["/__schema", "application/yaml"],
  ["/__apirator/definition.yaml", "application/yaml"],
  ["/openapi.yaml", "application/yaml"],
])("%s is the definition as given", async ([path, type]) => {
  const answer = await mockOf().send("GET", path);
  expect(answer.text).toBe(source.text);
  expect(answer.headers.get("content-type")).toBe(type);
});

test.for(["/__apirator/definition.json", "/openapi.json"])("%s is it as JSON", async (path) => {
  const answer = await mockOf().send("GET", path);
  expect(answer.json).toEqual(document);
  expect(answer.headers.get("content-type")).toBe("application/json");
});

test("a definition in JSON is there as YAML too", async () => {
  const json = { text: JSON.stringify(document), syntax: "json" } as const;
  const answer = await mockOf(["/p"], { source: json }).send("GET", "/openapi.yaml");
  expect(parse(answer.text)).toEqual(document);
});

test.for(["/__health", "/__schema", "/openapi.json", "/openapi.yaml"])(
  "%s is the document's where it uses it",
  async (path) => {
    expect((await mockOf([path]).send("GET", path)).json).toBe(1);
  },
);

test.for<[method: string, path: string, status: number]>([
  ["HEAD", "/__apirator/health", 200],
  ["OPTIONS", "/__apirator/health", 204],
  ["POST", "/__apirator/health", 405],
  ["GET", "/__apirator/nothing", 404],
  ["GET", "/__apirator/", 404],
  ["GET", "http://mock.test/__apirator/health?x=1", 200],
])("%s %s is answered %i", async ([method, path, status]) => {
  expect((await mockOf().send(method, path)).status).toBe(status);
});

test("metrics count answers by operation and status", async () => {
  const mock = mockOf(["/p"]);
  for (const target of ["/p", "/p", "/nothing"]) await mock.send("GET", target); // oxlint-disable-line no-await-in-loop -- one after the other
  const answer = await mock.send("GET", "/__apirator/metrics");
  expect(answer.headers.get("content-type")).toContain("application/openmetrics-text");
  expect(answer.text).toContain('apirator_mock_answers_total{operation="GET /p",status="200"} 2\n');
  expect(answer.text).toContain('apirator_mock_answers_total{operation="",status="404"} 1\n');
});

test.for(["bets", "library", "warehouse", "weather"])(
  "the page of an API has a request for each operation of %s that it takes",
  async (name) => {
    const mock = await definedBy(
      onlyDocument(readFileSync(`examples/${name}.yaml`, "utf8"), name).text,
    );
    for (const [index, { method }] of mock.compiled.operations.entries()) {
      const { status, json } = await mock.send("GET", `/__apirator/docs?operation=${index}`);
      expect(status).toBe(200);
      const { target, headers, body } = json as { target: string; headers: string; body: string };
      const fields = headers.split("\n").filter((line) => line !== "");
      const pairs = fields.map((line) => line.split(": ") as [string, string]);
      const sent = { headers: Object.fromEntries(pairs), body };
      const answer = await mock.send(
        method,
        target,
        body === "" ? { headers: sent.headers } : sent,
      );
      expect(`${method} ${target} ${answer.status}`).toMatch(/ 20\d$/);
    }
  },
);

test.for([
  ["form", "application/x-www-form-urlencoded", "b=%C3%A9%20%26&n=7"],
  [
    "multipart",
    "multipart/form-data; boundary=part",
    '--part\r\nContent-Disposition: form-data; name="b"\r\n\r\n\u00E9 &\r\n--part\r\nContent-Disposition: form-data; name="n"\r\n\r\n7\r\n--part--\r\n',
  ],
] as const)(
  "the page's request has a body of %s as its media type writes it",
  async ([, type, body]) => {
    const schema = { type: "object", required: ["b", "n"], properties: { b: { const: "\u00E9 &" }, n: { const: 7 } } }; // oxfmt-ignore
    const content = { [type.split(";")[0] ?? ""]: { schema } };
    const responses = { "204": { description: "Fine" } };
    const parameters = [{ name: "x", in: "path", required: true, schema: { const: "value" } }];
    const post = { parameters, requestBody: { required: true, content }, responses };
    const mock = await definedBy({ openapi: "3.1.0", info: { title: "T", version: "1" }, paths: { "/ \u00E9/{x}": { post } } }); // oxfmt-ignore
    const { json } = await mock.send("GET", "/__apirator/docs?operation=0");
    expect(json).toEqual({ target: "/%20%C3%A9/value", headers: `Content-Type: ${type}`, body });
  },
);

test.for(["1", "-1", "x", ""])(
  "the page has no request for an operation %j that is not there",
  async (which) => {
    const { status, json } = await mockOf(["/p"]).send(
      "GET",
      `/__apirator/docs?operation=${which}`,
    );
    expect(status).toBe(404);
    expect(json).toMatchObject({ type: "https://apirator.io/problems/no-such-path" });
  },
);

test("the page of an API has its operations, asks nobody else, and runs nothing of a document", async () => {
  const evil = `"><script>alert(1)</script>`;
  const mock = mockFrom(compiledOf([{ path: "/pets", summary: evil, responses: answers }], { title: evil })); // oxfmt-ignore
  const answer = await mock.send("GET", "/__apirator/docs");
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(answer.text).toContain("<code>/pets</code>");
  expect(answer.text).not.toContain("<script>alert");
  expect(answer.text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
});
