import { expect, test } from "vitest";
import { parse } from "yaml";
import type { Compiled } from "../../lib/compiled/compiled.ts";
import { compiledOf, exampleOf, responseOf } from "../support/compiled.ts";
import { mockFrom } from "../support/mock.ts";

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
