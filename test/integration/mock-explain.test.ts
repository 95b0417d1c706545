import { expect, test } from "vitest";
import { compiledOf, exampleOf, responseOf } from "../support/compiled.ts";
import { mockFrom } from "../support/mock.ts";

const parameter = {
  pointer: "",
  required: true,
  style: "form",
  explode: true,
  allowReserved: false,
  allowEmptyValue: false,
  examples: [],
} as const;

const compiled = compiledOf(
  [
    {
      path: "/pets",
      security: [[["key", { scopes: [] }]]],
      parameters: [
        { ...parameter, name: "limit", in: "query", schema: "integer" },
        { ...parameter, name: "Session-Token", in: "header", style: "simple", required: false },
      ],
      responses: [responseOf("200", [["application/json", exampleOf("a pet")]])],
    },
  ],
  {
    schemas: { integer: { type: "integer" } },
    securitySchemes: { key: { type: "apiKey", in: "query", name: "key" } },
  },
);

interface Explained {
  readonly request: { readonly method: string; readonly target: string };
  readonly steps: readonly { readonly step: string; readonly decided: string }[];
  readonly answer: { readonly status: number; readonly body: string | null };
}

function decisions(json: unknown): Record<string, string> {
  return Object.fromEntries((json as Explained).steps.map(({ step, decided }) => [step, decided]));
}

test("Prefer: explain tells what was decided instead of answering", async () => {
  const answer = await mockFrom(compiled).send("GET", "/pets?limit=1&key=k", { headers: { prefer: "explain" } }); // oxfmt-ignore
  expect(answer.status).toBe(200);
  expect(answer.headers.get("preference-applied")).toBe("explain");
  expect(decisions(answer.json)).toEqual({
    route: "GET /pets",
    security: "let in",
    "parameters and body": "nothing is wrong",
    preferences: "explain",
    response: "200, declared as 200",
    "media type": "application/json",
    body: "example",
  });
  expect((answer.json as Explained).answer).toMatchObject({ status: 200, body: `"a pet"` });
});

test.for<[about: string, target: string, status: number, last: [string, string]]>([
  ["a path that is not there", "/nothing", 404, ["route", "no-such-path"]],
  ["a broken escape", "/%zz", 400, ["route", "bad-escape"]],
  ["missing credentials", "/pets?limit=1", 401, ["security", "denied"]],
  ["an invalid request", "/pets?limit=x&key=k", 422, ["parameters and body", "1 wrong"]],
  ["an impossible preference", "/pets?limit=1&key=k&__code=418", 404, ["preferences", "code=418"]],
])("%s is explained with 200", async ([, target, status, [step, decided]]) => {
  const path = encodeURIComponent(target);
  const answer = await mockFrom(compiled).send("GET", `/__apirator/explain?path=${path}`);
  expect(answer.status).toBe(200);
  expect((answer.json as Explained).answer.status).toBe(status);
  expect(decisions(answer.json)[step]).toBe(decided);
});

test("a request may be described in JSON, and is answered as if it were sent", async () => {
  const described = {
    method: "GET",
    path: "/pets?limit=1&key=k",
    headers: { Accept: "image/png" },
  };
  const answer = await mockFrom(compiled).send("POST", "/__apirator/explain", {
    headers: { "content-type": "application/json" },
    body: JSON.stringify(described),
  });
  expect((answer.json as Explained).answer.status).toBe(406);
});

test("headers may be described in the query", async () => {
  const query = new URLSearchParams({ path: "/pets?limit=1&key=k", header: "Accept: image/png" });
  const answer = await mockFrom(compiled).send("GET", `/__apirator/explain?${query.toString()}`);
  expect((answer.json as Explained).answer.status).toBe(406);
});

test.for(["", "{", "[]x", "7", "null", "[".repeat(4_000_000)])(
  "what describes no request is told so: %.9s",
  async (body) => {
    const answer = await mockFrom(compiled).send("POST", "/__apirator/explain", { body });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ error: expect.stringContaining("JSON object") as unknown });
  },
);

test("secrets are masked", async () => {
  const answer = await mockFrom(compiled).send("GET", "/pets?limit=1&key=hush&access_token=hush", {
    headers: { prefer: "explain", "session-token": "hush" },
  });
  expect(answer.text).not.toContain("hush");
  expect((answer.json as Explained).request.target).toBe("/pets?limit=1&key=***&access_token=***");
});

test.for<[about: string, method: string, target: string, route: string, status: number]>([
  ["no path matches", "GET", "/nope", "no-such-path", 404],
  ["the path lacks the method", "PUT", "/pets", "no-such-method", 405],
  ["the target cannot be read", "GET", "/%zz", "bad-escape", 400],
  ["the path is asked for its methods", "OPTIONS", "/pets", "options", 204],
])("%s, and explain says so", async ([, method, target, route, answered]) => {
  const sent = { headers: { Prefer: "explain" } };
  const { status, json } = await mockFrom(compiled).send(method, target, sent);
  expect(status).toBe(200);
  expect(decisions(json)).toMatchObject({ route });
  expect((json as Explained).answer.status).toBe(answered);
});
