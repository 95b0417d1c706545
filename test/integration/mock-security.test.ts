import { expect, test } from "vitest";
import type { Operation, SecurityScheme } from "../../lib/compiled/compiled.ts";
import type { MockSettings } from "../../functions/mock/settings.ts";
import { compiledOf, responseOf } from "../support/compiled.ts";
import { mockFrom } from "../support/mock.ts";

const schemes: Record<string, SecurityScheme> = {
  headerKey: { type: "apiKey", in: "header", name: "X-Key" },
  queryKey: { type: "apiKey", in: "query", name: "key" },
  cookieKey: { type: "apiKey", in: "cookie", name: "sid" },
  basic: { type: "http", scheme: "basic" },
  bearer: { type: "http", scheme: "bearer" },
  digest: { type: "http", scheme: "digest" },
  hoba: { type: "http", scheme: "hoba" },
  oauth: { type: "oauth2" },
  openId: { type: "openIdConnect" },
  tls: { type: "mutualTLS" },
};

type Needs = readonly (readonly string[])[];

function mockOf(needs: Needs, settings: Partial<MockSettings> = {}) {
  const security: Operation["security"] = needs.map((names) => names.map((name) => [name, { scopes: name === "oauth" ? ["read", "write"] : [] }])); // oxfmt-ignore
  const operation = { security, responses: [responseOf("200")] };
  return mockFrom(compiledOf([operation], { securitySchemes: schemes, title: 'The "Test"' }), settings); // oxfmt-ignore
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

test.for<
  [about: string, needs: Needs, target: string, headers: Record<string, string>, status: number]
>([
  ["nothing is asked for", [], "/p", {}, 200],
  ["an empty requirement welcomes anyone", [["basic"], []], "/p", {}, 200],
  ["a key in a header", [["headerKey"]], "/p", { "x-key": "any" }, 200],
  ["an empty key is none", [["headerKey"]], "/p", { "x-key": "" }, 401],
  ["a key in the query", [["queryKey"]], "/p?a=1&key=any", {}, 200],
  ["an empty key in the query is none", [["queryKey"]], "/p?key=", {}, 401],
  ["a key whose name ends the same is another", [["queryKey"]], "/p?mykey=any", {}, 401],
  ["a key in a cookie", [["cookieKey"]], "/p", { cookie: "a=b; sid=any" }, 200],
  ["no such cookie", [["cookieKey"]], "/p", { cookie: "a=sid" }, 401],
  ["basic with a colon in the password", [["basic"]], "/p", { authorization: basic("u:a:b") }, 200],
  ["basic with an empty password", [["basic"]], "/p", { authorization: basic("u:") }, 200],
  ["basic without a colon", [["basic"]], "/p", { authorization: basic("u") }, 401],
  ["basic that is no base64", [["basic"]], "/p", { authorization: "Basic u:p" }, 401],
  [
    "basic in other case",
    [["basic"]],
    "/p",
    { authorization: basic("u:p").replace("Basic", "bASIC") },
    200,
  ],
  ["bearer", [["bearer"]], "/p", { authorization: "bearer a.b-c_d~e+f/g==" }, 200],
  ["bearer without a token", [["bearer"]], "/p", { authorization: "Bearer " }, 401],
  ["bearer with two tokens", [["bearer"]], "/p", { authorization: "Bearer a b" }, 401],
  ["another scheme", [["bearer"]], "/p", { authorization: "Digest x" }, 401],
  ["digest", [["digest"]], "/p", { authorization: 'Digest username="u", realm="r"' }, 200],
  ["oauth2 is a bearer token", [["oauth"]], "/p", { authorization: "Bearer x" }, 200],
  ["openIdConnect is a bearer token", [["openId"]], "/p", { authorization: "Bearer x" }, 200],
  ["mutualTLS is accepted", [["tls"]], "/p", {}, 200],
  [
    "one of several requirements is enough",
    [["basic"], ["headerKey"]],
    "/p",
    { "x-key": "k" },
    200,
  ],
  ["all schemes of one are needed", [["queryKey", "headerKey"]], "/p", { "x-key": "k" }, 401],
  ["all schemes of one are there", [["queryKey", "headerKey"]], "/p?key=1", { "x-key": "k" }, 200],
])("%s", async ([, needs, target, headers, status]) => {
  const answer = await mockOf(needs).send("GET", target, { headers });
  expect(answer.status).toBe(status);
  expect(answer.headers.has("www-authenticate")).toBe(status === 401);
});

test.for<[needs: Needs, challenge: string]>([
  [[["bearer"]], 'Bearer realm="The \\"Test\\""'],
  [[["oauth"]], 'Bearer realm="The \\"Test\\"", scope="read write"'],
  [[["basic"]], 'Basic realm="The \\"Test\\""'],
  [[["digest"]], 'Digest realm="The \\"Test\\"", nonce="apirator", qop="auth", algorithm=SHA-256'],
  [[["hoba"]], 'Hoba realm="The \\"Test\\""'],
  [[["headerKey"]], 'ApiKey realm="The \\"Test\\"", in="header", name="X-Key"'],
  [
    [["basic"], ["bearer", "headerKey"]],
    'Basic realm="The \\"Test\\"", Bearer realm="The \\"Test\\"", ApiKey realm="The \\"Test\\"", in="header", name="X-Key"',
  ],
])("who lacks %j is told how to authenticate", async ([needs, challenge]) => {
  const answer = await mockOf(needs).send("GET", "/p");
  expect(answer.headers.get("www-authenticate")).toBe(challenge);
  expect(answer.json).toMatchObject({ type: "https://apirator.io/problems/unauthorized" });
});

test("a mock that only warns lets in, and says what was missing", async () => {
  const answer = await mockOf([["basic"]], { validate: "Warn" }).send("GET", "/p");
  expect(answer.status).toBe(200);
  const [violation] = JSON.parse(answer.headers.get("apirator-violations") ?? "[]") as unknown[];
  expect(violation).toMatchObject({ in: "header", keyword: "security" });
});

test("a mock that does not validate asks for nothing and says nothing", async () => {
  const answer = await mockOf([["basic"]], { validate: "Off" }).send("GET", "/p");
  expect(answer.status).toBe(200);
  expect(answer.headers.has("apirator-violations")).toBe(false);
});

test("the document's own 401 keeps the challenges", async () => {
  const declared = responseOf("401", [["application/json", { examples: [["", { value: "who?" }]] }]], [["WWW-Authenticate", { required: false, explode: false, example: "None" }]]); // oxfmt-ignore
  const operation = { security: [[["basic", { scopes: [] }]]] as const, responses: [responseOf("200"), declared] }; // oxfmt-ignore
  const mock = mockFrom(compiledOf([operation], { securitySchemes: schemes }));
  const answer = await mock.send("GET", "/p");
  expect([answer.status, answer.json]).toEqual([401, "who?"]);
  expect(answer.headers.get("www-authenticate")).toBe('Basic realm="Test"');
});
