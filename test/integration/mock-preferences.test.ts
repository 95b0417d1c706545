import { expect, test } from "vitest";
import type { MockSettings } from "../../functions/mock/settings.ts";
import { compiledOf, exampleOf, responseOf } from "../support/compiled.ts";
import { mockFrom } from "../support/mock.ts";

const json = "application/json";
const pet = { type: "object", required: ["id"], properties: { id: { type: "integer" } } };
const named = { examples: [["a", { value: "first" }], ["größe", { value: "second" }]] } as const; // oxfmt-ignore

/** One operation with responses of every kind. */
const compiled = compiledOf(
  [
    {
      responses: [
        responseOf("404", [[json, { examples: [["b", { value: "gone" }]] }]]),
        responseOf("200", [[json, named]]),
        responseOf("202"),
        responseOf("5XX", [[json, exampleOf("broken")]]),
      ],
    },
    { path: "/default", responses: [responseOf("default", [[json, exampleOf("any")]])] },
    {
      path: "/made",
      responses: [responseOf("200", [[json, { schema: "pet", ...exampleOf("an example") }]])],
    },
    {
      path: "/outside",
      responses: [
        responseOf("200", [
          [
            json,
            {
              examples: [
                ["x", { external: "http://other.test" }],
                ["y", { value: 1 }],
              ],
            },
          ],
        ]),
      ],
    },
  ],
  { schemas: { pet } },
);

function mockWith(settings: Partial<MockSettings> = {}) {
  return mockFrom(compiled, settings);
}

test.for<[prefer: string, status: number, json: unknown, applied: string | null]>([
  ["code=404", 404, "gone", "code=404"],
  ["status=404", 404, "gone", "status=404"],
  ["statusCode=404", 404, "gone", "statusCode=404"],
  ['code="404"', 404, "gone", "code=404"],
  ["code = 404", 404, "gone", "code=404"],
  ["code=404; example=b", 404, "gone", "code=404, example=b"],
  ["code=404, example=b", 404, "gone", "code=404, example=b"],
  ["code=404 example=b", 404, "gone", "code=404, example=b"],
  ["code=200, code=404", 200, "first", "code=200"],
  ["respond-async, wait=10, code=404", 404, "gone", "code=404"],
  ["return=minimal", 200, "first", null],
  ["code=503", 503, "broken", "code=503"],
  ["code=202", 202, undefined, "code=202"],
  ["code=202, example=nothing", 202, undefined, "code=202"],
  ["example=a", 200, "first", "example=a"],
  ["example=gr\u00c3\u00b6\u00c3\u009fe", 200, "second", 'example="gr\u00c3\u00b6\u00c3\u009fe"'],
  ["dynamic=false", 200, "first", "dynamic=false"],
  ["seed=7", 200, "first", null],
  ["handling=lenient", 200, "first", "handling=lenient"],
  ["handling=strict", 200, "first", null],
])("Prefer: %s is answered %i", async ([prefer, status, body, applied]) => {
  const answer = await mockWith().send("GET", "/p", { headers: { prefer } });
  expect(answer.status).toBe(status);
  expect(answer.json).toEqual(body);
  expect(answer.headers.get("preference-applied")).toBe(applied);
});

test.for<[target: string, prefer: string, status: number, detail: string]>([
  ["/p", "code=418", 404, "GET /p has no response for 418; it has 404, 200, 202, 5XX"],
  ["/p", "example=b", 404, "Response 200 has no example b in the document; it has a, größe"],
  ["/p", "code=abc", 422, "code=abc is no status of 200 to 599"],
  ["/p", "code=100", 422, "code=100 is no status of 200 to 599"],
  ["/p", "code=5XX", 422, "code=5XX is no status of 200 to 599"],
  ["/p", "code", 422, "code= is no status of 200 to 599"],
  ["/p", "dynamic=maybe", 422, "dynamic=maybe is neither true nor false"],
  ["/p", "example=", 422, "example has no value"],
  [
    "/outside",
    "example=x",
    404,
    "Response 200 has no example x in the document but at http://other.test, which is never fetched; it has y",
  ],
])("%s with Prefer: %s is a problem", async ([target, prefer, status, detail]) => {
  const answer = await mockWith().send("GET", target, { headers: { prefer } });
  expect(answer.status).toBe(status);
  expect(answer.json).toMatchObject({ status, detail, instance: target });
});

test("default answers for any status that is asked for", async () => {
  const answer = await mockWith().send("GET", "/default", { headers: { prefer: "code=409" } });
  expect([answer.status, answer.json]).toEqual([409, "any"]);
});

test.for<[query: string, prefer: string | undefined, status: number]>([
  ["?__code=404", undefined, 404],
  ["?a=1&__code=404&b=2", undefined, 404],
  ["?%5F_code=404", undefined, 404],
  ["?__code=404", "respond-async", 404],
  ["?__code=404", "code=503", 503],
  ["?__code=404", "example=a", 200],
  ["?__code=x", undefined, 422],
  ["?code=404", undefined, 200],
])("the query %s with Prefer: %s is answered %i", async ([query, prefer, status]) => {
  const sent = prefer === undefined ? {} : { headers: { prefer } };
  expect((await mockWith().send("GET", `/p${query}`, sent)).status).toBe(status);
});

test("an example outside the document is passed over", async () => {
  expect((await mockWith().send("GET", "/outside")).json).toBe(1);
});

test("dynamic makes a body that fits, and its seed decides which", async () => {
  const mock = mockWith();
  const ask = async (prefer: string) => await mock.send("GET", "/made", { headers: { prefer } });
  const one = await ask("dynamic=true, seed=one");
  expect(one.text).toMatch(/^\{"id":-?\d+\}$/);
  expect(one.headers.get("preference-applied")).toBe("dynamic=true, seed=one");
  expect((await ask("dynamic=true, seed=one")).text).toBe(one.text);
  const others = await Promise.all(
    ["a", "b", "c", "d"].map((seed) => ask(`dynamic=true, seed=${seed}`)),
  );
  expect(new Set(others.map(({ text }) => text)).size).toBeGreaterThan(1);
  expect((await mock.send("GET", "/made")).json).toBe("an example");
});

test("a mock that is dynamic can be told not to be, for one request", async () => {
  const mock = mockWith({ dynamic: true, seed: "s" });
  expect((await mock.send("GET", "/made")).text).toMatch(/^\{"id":-?\d+\}$/);
  const answer = await mock.send("GET", "/made", { headers: { prefer: "dynamic=false" } });
  expect(answer.json).toBe("an example");
});

test("a named example is answered also where bodies are made anew", async () => {
  const mock = mockWith({ dynamic: true });
  const answer = await mock.send("GET", "/p", { headers: { prefer: "example=a" } });
  expect(answer.json).toBe("first");
});
