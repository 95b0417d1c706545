import { expect, test } from "vitest";
import { compiledOf, exampleOf, responseOf } from "../support/compiled.ts";
import { mockFrom } from "../support/mock.ts";

const headers = [
  ["X-Total", { required: false, explode: false, example: 3 }],
  ["Cache-Control", { required: false, explode: false, example: "no-store" }],
  [
    "Access-Control-Allow-Origin",
    { required: false, explode: false, example: "https://only.test" },
  ],
  ["Vary", { required: false, explode: false, example: "X-Tenant" }],
] as const;
const compiled = compiledOf([
  { responses: [responseOf("200", [["application/json", exampleOf(1)]], headers)] },
  {
    path: "/own",
    method: "OPTIONS",
    responses: [responseOf("200", [["application/json", exampleOf("own")]])],
  },
]);
const preflight = {
  origin: "https://app.test",
  "access-control-request-method": "PURGE",
  "access-control-request-headers": "x-a, x-b",
};

test.for(["/p", "/nothing/here", "/own", "/__apirator/health", "/bad%zz"])(
  "a preflight of %s allows what it asks for",
  async (target) => {
    const answer = await mockFrom(compiled).send("OPTIONS", target, { headers: preflight });
    expect(answer.status).toBe(204);
    expect(Object.fromEntries(answer.headers)).toEqual({
      "access-control-allow-origin": "https://app.test",
      "access-control-allow-credentials": "true",
      "access-control-allow-methods": "PURGE",
      "access-control-allow-headers": "x-a, x-b",
      vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
    });
  },
);

test("OPTIONS that is no preflight is the document's", async () => {
  const answer = await mockFrom(compiled).send("OPTIONS", "/own", { headers: { origin: "https://app.test" } }); // oxfmt-ignore
  expect(answer.json).toBe("own");
});

test("an answer may be read by the origin that asked, with the names of its fields", async () => {
  const answer = await mockFrom(compiled).send("GET", "/p", { headers: { origin: "https://app.test" } }); // oxfmt-ignore
  expect(Object.fromEntries(answer.headers)).toEqual({
    "content-type": "application/json",
    "x-total": "3",
    "cache-control": "no-store",
    "access-control-allow-origin": "https://app.test",
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": "X-Total",
    vary: "Origin, Accept, Prefer, X-Tenant",
  });
});

test("without an origin anybody may read it, without credentials", async () => {
  const answer = await mockFrom(compiled).send("GET", "/p");
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
});

test.for<[method: string, target: string, status: number]>([
  ["GET", "/nothing", 404],
  ["PUT", "/p", 405],
  ["GET", "/bad%zz", 400],
  ["GET", "/__apirator/nothing", 404],
])("problems can be read too: %s %s", async ([method, target, status]) => {
  const answer = await mockFrom(compiled).send(method, target, { headers: { origin: "https://app.test" } }); // oxfmt-ignore
  expect(answer.status).toBe(status);
  expect(answer.headers.get("access-control-allow-origin")).toBe("https://app.test");
});

test("without CORS the document's own fields go out, and OPTIONS lists the methods", async () => {
  const mock = mockFrom(compiled, { cors: false });
  const answer = await mock.send("GET", "/p", { headers: { origin: "https://app.test" } });
  expect(answer.headers.get("access-control-allow-origin")).toBe("https://only.test");
  expect(answer.headers.get("vary")).toBe("X-Tenant");
  const options = await mock.send("OPTIONS", "/p", { headers: preflight });
  expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
  expect(options.headers.has("access-control-allow-methods")).toBe(false);
});
