import { expect, test } from "vitest";
import { ageText, coreColumns, knativeColumns, pathColumn } from "../../lib/embedded/columns.ts";
import type { Json, JsonObject } from "../../lib/embedded/json.ts";
import { readPath } from "../../lib/embedded/json-path.ts";
import type { Column } from "../../lib/embedded/resource.ts";

const now = new Date("2030-01-01T00:00:00Z");

test.for<[path: string, value: Json, found: Json | undefined]>([
  ["a.b", { a: { b: 1 } }, 1],
  [".a.b", { a: { b: 1 } }, 1],
  ["a.b", { a: 1 }, undefined],
  ["a.b", {}, undefined],
  ["a[1]", { a: [1, 2] }, 2],
  ["a[?(@.type=='Ready')].status", { a: [{ type: "Ready", status: "True" }] }, "True"],
  ['a[?(@.type=="Ready")].status', { a: [{ type: "Other", status: "True" }] }, undefined],
  ["labels['example.com/a']", { labels: { "example.com/a": "x" } }, "x"],
  [String.raw`labels.example\.com/a`, { labels: { "example.com/a": "x" } }, "x"],
  ["constructor", {}, undefined],
  ["a[*].b", { a: [{ b: 1 }] }, undefined],
  ["a..b", { a: { b: 1 } }, undefined],
])("the path %s of %j is %j", ([path, value, found]) => {
  expect(readPath(value, path)).toEqual(found);
});

test.for<[seconds: number, text: string]>([
  [-5, "0s"],
  [0, "0s"],
  [119, "119s"],
  [120, "2m"],
  [200, "3m20s"],
  [600, "10m"],
  [179 * 60, "179m"],
  [180 * 60, "3h"],
  [3 * 3600 + 240, "3h4m"],
  [8 * 3600, "8h"],
  [48 * 3600, "2d"],
  [50 * 3600, "2d2h"],
  [8 * 86_400, "8d"],
  [729 * 86_400, "729d"],
  [740 * 86_400, "2y10d"],
  [9 * 365 * 86_400, "9y"],
])("%d seconds are shown as %s", ([seconds, text]) => {
  expect(ageText(new Date(now.getTime() - seconds * 1000).toISOString(), now)).toBe(text);
});

test("a time that is none is shown as such", () => {
  expect(ageText("yesterday", now)).toBe("<invalid>");
});

function rowOf(columns: readonly Column[], object: JsonObject): Record<string, Json> {
  return Object.fromEntries(columns.map((column) => [column.name, column.cell(object, now)]));
}

test("a Deployment's row counts its replicas", () => {
  const containers = [
    { name: "mock", image: "apirator" },
    { name: "side", image: "other" },
  ];
  const object = {
    metadata: { name: "bets", creationTimestamp: "2029-12-31T23:00:00Z" },
    spec: { replicas: 2, template: { spec: { containers } } },
    status: { readyReplicas: 1, updatedReplicas: 2 },
  };
  expect(rowOf(coreColumns.Deployment, object)).toEqual({
    Name: "bets",
    Ready: "1/2",
    "Up-to-date": 2,
    Available: 0,
    Age: "60m",
    Containers: "mock,side",
    Images: "apirator,other",
  });
});

test("a Knative Service's row has its Ready condition", () => {
  const conditions = [{ type: "Ready", status: "False", reason: "RevisionFailed" }];
  const object = { metadata: { name: "bets" }, status: { url: "http://bets", conditions } };
  expect(rowOf(knativeColumns.Service, object)).toEqual({
    Name: "bets",
    URL: "http://bets",
    LatestCreated: null,
    LatestReady: null,
    Ready: "False",
    Reason: "RevisionFailed",
  });
});

test("a text column shows what is no text as JSON", () => {
  expect(pathColumn("A", ".a").cell({ a: [1] }, now)).toBe("[1]");
});
