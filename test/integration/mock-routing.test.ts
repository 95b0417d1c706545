import { expect, test } from "vitest";
import type { Compiled, Operation, ServerPath } from "../../lib/compiled/compiled.ts";
import { compiledOf, exampleOf, responseOf } from "../support/compiled.ts";
import { mockFrom, mockOf } from "../support/mock.ts";

/** Answers with its own template. */
function answering(method: string, path: string, server?: ServerPath): Partial<Operation> {
  const response = responseOf("200", [["application/json", exampleOf(path)]]);
  return { method, path, responses: [response], ...(server && { servers: [server] }) };
}

function pathsOf(templates: readonly string[], server?: ServerPath): Compiled {
  return compiledOf(templates.map((path) => answering("GET", path, server)));
}

test.for<[about: string, templates: string[], target: string, answer: string | number]>([
  ["a literal beats a template", ["/v/{a}/{b}", "/v/x/y"], "/v/x/y", "/v/x/y"],
  ["a mixed segment beats a template", ["/{a}", "/{a}.json"], "/cat.json", "/{a}.json"],
  [
    "more literal text in a mixed segment wins",
    ["/{a}.json", "/x-{a}.json"],
    "/x-1.json",
    "/x-{a}.json",
  ],
  [
    "a literal from the left wins over a longer one to the right",
    ["/{a}/b/c", "/a/{b}/{c}"],
    "/a/b/c",
    "/a/{b}/{c}",
  ],
  ["what leads nowhere is gone back on", ["/a/b/c", "/{x}/b/d"], "/a/b/d", "/{x}/b/d"],
  ["a mixed segment takes the first place of a literal", ["/{a}-{b}-x"], "/1-2-3-x", "/{a}-{b}-x"],
  ["a variable of a mixed segment is never empty", ["/{a}.{b}"], "/.b", 404],
  ["a mixed segment needs its end", ["/{a}.json"], "/a.jsonx", 404],
  ["a prefix and a suffix do not overlap", ["/aba{x}ba"], "/aba", 404],
  ["a colon after a variable is literal", ["/{id}", "/{id}:cancel"], "/7:cancel", "/{id}:cancel"],
  ["an escaped literal is the literal", ["/a b"], "/a%20b", "/a b"],
  ["an escape in the document is its character", ["/a%20b"], "/a%20b", "/a%20b"],
  ["an escaped literal of a mixed segment counts", ["/{n}.json"], "/a%2Ejson", "/{n}.json"],
  ["a template never matches an empty segment", ["/f/{id}"], "/f/", 404],
  ["a trailing slash is as written", ["/f/"], "/f", 404],
  ["two slashes are an empty segment", ["/user/{n}"], "//a/user/rem", 404],
  ["dot segments are segments", ["/b"], "/a/../b", 404],
  ["a backslash is a character", ["/a/b"], "/a\\b", 404],
  ["an encoded slash stays in its segment", ["/f/{id}"], "/f/a%2Fb", "/f/{id}"],
  ["a broken escape is the client's fault", ["/f/{id}"], "/f/%zz", 400],
  ["an escape that is not UTF-8 is too", ["/f/{id}"], "/f/%ff", 400],
  ["the absolute form is understood", ["/p"], "http://other.test:81/p?x=1", "/p"],
  ["the absolute form without a path is the root", ["/"], "http://other.test", "/"],
  ["the absolute form with only a query is the root", ["/"], "http://other.test?x=/p", "/"],
  ["a target that is no path is refused", ["/p"], "p", 400],
  ["an asterisk is no path for GET", ["/p"], "*", 400],
  ["a fragment is not looked at", ["/p"], "/p#/q", "/p"],
])("%s", async ([, templates, target, answer]) => {
  for (const order of [templates, templates.toReversed()]) {
    const mock = mockFrom(pathsOf(order));
    const { status, json } = await mock.send("GET", target);
    expect(typeof answer === "number" ? status : json).toBe(answer);
  }
});

const version = { default: "v1", enum: ["v1", "v2"] };
const free = { default: "x" };

test.for<[about: string, server: ServerPath, target: string, answer: string | number]>([
  ["the path of a server counts", { path: "/base", variables: {} }, "/base/p", "/p"],
  ["the path of a server may be left out", { path: "/base", variables: {} }, "/p", "/p"],
  ["the root of a server also without its slash", { path: "/base", variables: {} }, "/base", "/"],
  ["the root of a server also with it", { path: "/base", variables: {} }, "/base/", "/"],
  [
    "an enum is all that a variable may be",
    { path: "/{v}", variables: { v: version } },
    "/v2/q",
    "/q",
  ],
  [
    "what is not in the enum is no server",
    { path: "/{v}", variables: { v: version } },
    "/v3/q",
    404,
  ],
  [
    "a variable may be a part of a segment",
    { path: "/api-{v}", variables: { v: version } },
    "/api-v2/p",
    "/p",
  ],
  [
    "a variable may bring slashes",
    { path: "/{v}", variables: { v: { default: "a/b", enum: ["a/b"] } } },
    "/a/b/p",
    "/p",
  ],
  [
    "a variable may be empty",
    { path: "/{v}", variables: { v: { default: "", enum: [""] } } },
    "/p",
    "/p",
  ],
  [
    "a variable without an enum may be anything",
    { path: "/{v}", variables: { v: free } },
    "/y/q",
    "/q",
  ],
  [
    "a variable without an enum may be its default",
    { path: "/{v}", variables: { v: free } },
    "/x/p",
    "/p",
  ],
  ["a free variable is never empty", { path: "/{v}", variables: { v: free } }, "//p", 404],
  [
    "a free variable comes last, after the path as it is",
    { path: "/{v}", variables: { v: free } },
    "/p/q",
    "/p/{a}",
  ],
  ["a variable that nobody declared is free", { path: "/{v}", variables: {} }, "/y/q", "/q"],
])("%s", async ([, server, target, answer]) => {
  const mock = mockFrom(pathsOf(["/", "/p", "/q", "/p/{a}"], server));
  const { status, json } = await mock.send("GET", target);
  expect(typeof answer === "number" ? status : json).toBe(answer);
});

test("a path without the method leads on to one that has it", async () => {
  const mock = mockFrom(compiledOf([answering("GET", "/x"), answering("POST", "/{a}")]));
  expect((await mock.send("POST", "/x")).json).toBe("/{a}");
  expect((await mock.send("GET", "/x")).json).toBe("/x");
  const refused = await mock.send("PUT", "/x");
  expect(refused.status).toBe(405);
  expect(refused.headers.get("allow")).toBe("GET, HEAD, OPTIONS, POST");
});

test.for<[method: string, target: string, status: number, allow: string | null]>([
  ["HEAD", "/p", 200, null],
  ["OPTIONS", "/p", 204, "GET, HEAD, OPTIONS"],
  ["OPTIONS", "*", 204, null],
  ["OPTIONS", "/no", 404, null],
  ["CONNECT", "mock.test:80", 501, null],
  ["get", "/p", 405, "GET, HEAD, OPTIONS"],
  ["PURGE", "/p", 405, "GET, HEAD, OPTIONS"],
])("%s %s is answered %i", async ([method, target, status, allow]) => {
  const mock = mockFrom(pathsOf(["/p"]));
  const answer = await mock.send(method, target);
  expect(answer.status).toBe(status);
  expect(answer.headers.get("allow")).toBe(allow);
});

test("HEAD has the fields of GET and no body", async () => {
  const mock = mockFrom(pathsOf(["/p"]));
  const answer = await mock.send("HEAD", "/p");
  expect(answer.text).toBe("");
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.headers.get("content-length")).toBe(String(`"/p"`.length));
});

test("a long path that nearly matches many mixed segments is refused at once", async () => {
  const segment = Array.from({ length: 30 }, (_, at) => `{v${at}}a`).join("");
  const mock = mockFrom(pathsOf([`/${segment}x`]));
  expect((await mock.send("GET", `/${"a".repeat(20_000)}y`)).status).toBe(404);
});

test("a target asked for again is answered by what comes with it this time", async () => {
  const limit = { name: "limit", in: "query", schema: { type: "integer" } };
  const trace = { name: "X-Trace", in: "header", schema: { type: "integer" } };
  const responses = { 200: { description: "fine" } };
  const mock = await mockOf({
    openapi: "3.1.0",
    info: { title: "t", version: "1" },
    paths: {
      "/by-target": { get: { parameters: [limit], responses } },
      "/by-field": { get: { parameters: [limit, trace], responses } },
    },
  });
  const statusOf = async (target: string, headers: Record<string, string> = {}) =>
    (await mock.send("GET", target, { headers })).status;
  expect(await statusOf("/by-target?limit=1")).toBe(200);
  expect(await statusOf("/by-target?limit=x")).toBe(422);
  expect(await statusOf("/by-target?limit=x")).toBe(422);
  expect(await statusOf("/by-target?limit=x", { Prefer: "handling=lenient" })).toBe(200);
  expect(await statusOf("/by-target?limit=1", { Prefer: "code=404" })).toBe(404);
  expect(await statusOf("/by-field?limit=1", { "X-Trace": "1" })).toBe(200);
  expect(await statusOf("/by-field?limit=1", { "X-Trace": "x" })).toBe(422);
});
