import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { afterAll, expect, inject, test, vi } from "vitest";

import { unpack } from "../../lib/compiled/pack.ts";
import { createCompiler } from "../../lib/compiler/compiler.ts";
import { textOf } from "../support/definition.ts";

const entry = join(inject("builtPackage"), "dist/compile.cjs");
// Each may wait for its turn on a machine that does much else; what it costs is CPU time.
vi.setConfig({ testTimeout: 60_000 });
const compiler = createCompiler({ entry, wallMs: 60_000 });
afterAll(async () => compiler.close());

const fine = textOf({ paths: { "/p": { get: { responses: { "200": { description: "d" } } } } } });
const withSchemas = (schemas: Record<string, unknown>, openapi = "3.0.4"): string =>
  textOf({
    openapi,
    paths: {
      "/p": {
        get: {
          responses: {
            "200": {
              description: "d",
              content: { "application/json": { schema: { $ref: "#/components/schemas/S0" } } },
            },
          },
        },
      },
    },
    components: { schemas },
  });
const chain = (
  length: number,
  link: (next: object) => object,
  end: object,
): Record<string, unknown> =>
  Object.fromEntries(
    Array.from({ length: length + 1 }, (_, index) => [
      `S${index}`,
      index === length ? end : link({ $ref: `#/components/schemas/S${index + 1}` }),
    ]),
  );

test("a text is compiled in another process, and comes back packed", async () => {
  const compilation = await compiler.compile(fine);
  if (compilation.kind !== "compiled") throw new Error(JSON.stringify(compilation));
  expect(compilation.info).toEqual({ version: "3.0.4", title: "Test", operations: 1 });
  expect(compilation.counts).toEqual({ error: 0, warning: 0, hint: 0 });
  expect(unpack(compilation.packed).source.text).toBe(fine);
});

test("a text that is wrong is refused with at most twenty findings, all of them counted", async () => {
  const paths = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`/p${index}`, { $ref: "#/nothing" }]),
  );
  const compilation = await compiler.compile(textOf({ paths }));
  if (compilation.kind !== "refused") throw new Error(compilation.kind);
  expect(compilation.findings).toHaveLength(20);
  expect(compilation.counts.error).toBe(50);
});

test("several texts at once are answered each for itself", async () => {
  const titles = ["a", "b", "c", "d", "e"];
  const answers = await Promise.all(
    titles.map((title) => compiler.compile(textOf({ info: { title, version: "1" } }))),
  );
  expect(
    answers.map((answer) => (answer.kind === "compiled" ? answer.info.title : answer.kind)),
  ).toEqual(titles);
});

const random = (length: number): string => {
  let seed = 1;
  return Array.from({ length }, () =>
    ((seed = (seed * 48_271) % 2_147_483_647) % 36).toString(36),
  ).join("");
};

test.for([
  [
    "a billion laughs",
    Array.from({ length: 30 }, (_, i) =>
      i === 0 ? "a0: &a0 [1]" : `a${i}: &a${i} [*a${i - 1}, *a${i - 1}, *a${i - 1}]`,
    ).join("\n"),
    "too-large",
  ],
  [
    "ten thousand aliases",
    `openapi: 3.0.4\nx-a: &a [1]\nx-b: [${Array(10_000).fill("*a").join(", ")}]`,
    "too-large",
  ],
  ["a million brackets", "[".repeat(1_000_000), "too-deep"],
  ["a million brackets in YAML", `a: ${"[".repeat(1_000_000)}`, "too-deep"],
  [
    "a pattern of a hundred thousand letters",
    withSchemas({ S0: { type: "string", pattern: `^${"(a|b)".repeat(20_000)}$` } }),
    "invalid-pattern",
  ],
  ["five million characters", "#".repeat(5_000_000), "too-large"],
  [
    "a circle of two thousand references",
    withSchemas(
      Object.fromEntries(
        Array.from({ length: 2000 }, (_, i) => [
          `S${i}`,
          { $ref: `#/components/schemas/S${(i + 1) % 2000}` },
        ]),
      ),
    ),
    "circular-ref",
  ],
  [
    "a description that no ConfigMap holds",
    textOf({ info: { title: "t", version: "1", description: random(2_000_000) } }),
    "compiled-too-large",
  ],
] as const)("%s is refused with a reason", async ([, text, code]) => {
  // oxfmt-ignore
  const compilation = await compiler.compile(text);
  if (compilation.kind !== "refused") throw new Error(compilation.kind);
  expect(compilation.findings[0]?.code).toBe(code);
});

test.for([
  [
    "references that double thirty times",
    withSchemas(
      chain(30, (next) => ({ type: "object", properties: { a: next, b: next } }), {
        type: "string",
      }),
    ),
  ],
  [
    "references that double thirty times in 3.1",
    withSchemas(
      chain(30, (next) => ({ type: "object", properties: { a: next, b: next } }), {
        type: "string",
      }),
      "3.1.1",
    ),
  ],
  [
    "alternatives that double thirty times",
    withSchemas(chain(30, (next) => ({ oneOf: [next, next] }), { type: "string" })),
  ],
  [
    "all of what doubles thirty times",
    withSchemas(chain(30, (next) => ({ allOf: [next, next] }), { type: "string" })),
  ],
  [
    "required properties that double thirty times",
    withSchemas(
      chain(
        30,
        (next) => ({ type: "object", required: ["a", "b"], properties: { a: next, b: next } }),
        { type: "string" },
      ),
    ),
  ],
  [
    "a pattern that backtracks",
    withSchemas({
      S0: { type: "string", pattern: "^(a+)+$", minLength: 40, example: `${"a".repeat(40)}!` },
    }),
  ],
  [
    "a string that must be a billion long",
    withSchemas({ S0: { type: "string", minLength: 1_000_000_000 } }),
  ],
  [
    "a list that must be a billion long",
    withSchemas({ S0: { type: "array", minItems: 1_000_000_000, items: { type: "string" } } }),
  ],
  [
    "a schema with five thousand properties",
    withSchemas({
      S0: {
        type: "object",
        properties: Object.fromEntries(
          Array.from({ length: 5000 }, (_, i) => [`p${i}`, { type: "string" }]),
        ),
      },
    }),
  ],
  [
    "three hundred paths that are all wrong",
    textOf({
      paths: Object.fromEntries(
        Array.from({ length: 300 }, (_, i) => [
          `/p${i}`,
          { get: { foo: 1, responses: { "200": {} } } },
        ]),
      ),
    }),
  ],
] as const)("%s: an answer, and the next text is compiled", async ([, text]) => {
  // oxfmt-ignore
  const hostile = await compiler.compile(text);
  expect(hostile.kind).not.toBe("timeout");
  const next = await compiler.compile(fine);
  expect(next.kind).toBe("compiled");
});

test("a compile that takes too long is ended, and the next one works", async () => {
  const impatient = createCompiler({ entry, cpuMs: 300 });
  const list = Array.from(
    { length: 10_000 },
    (_, index) => `  k${index}: {a: [1, 2, {b: c}]}`,
  ).join("\n");
  const slow = await impatient.compile(`openapi: 3.0.4\nx-list:\n${list}`);
  expect(slow).toEqual({ kind: "timeout", message: "compiling took more than 0.3 s of CPU time" });
  await impatient.close();
});

test("a compile that waits for ever is ended by the clock", async () => {
  const impatient = createCompiler({ entry, wallMs: 1 });
  expect(await impatient.compile(fine)).toEqual({
    kind: "timeout",
    message: "compiling took more than 0.001 s",
  });
  await impatient.close();
});

test("a compile that fills its memory is the document's fault, and the next one works", async () => {
  const small = createCompiler({ entry, heapMiB: 32 });
  const large = await small.compile(`{"openapi":"3.0.4","x-list":[${"[],".repeat(700_000)}[]]}`);
  if (large.kind !== "refused") throw new Error(large.kind);
  expect(large.findings).toMatchObject([{ severity: "error", code: "too-much-memory" }]);
  expect((await small.compile(fine)).kind).toBe("compiled");
  await small.close();
});

test("a process that cannot start rejects, and says why", async () => {
  const broken = createCompiler({
    entry: join(import.meta.dirname, "nothing-here.ts"),
    version: "x",
  });
  await expect(broken.compile(fine)).rejects.toThrow(/did not start/);
  await broken.close();
});

test("a closed compiler takes nothing more", async () => {
  const closed = createCompiler({ entry });
  await closed.close();
  await expect(closed.compile(fine)).rejects.toThrow("closed");
});

test("its version is the given one, else a hash of what it starts", () => {
  expect(createCompiler({ entry, version: "v" }).version).toBe("v");
  expect(compiler.version).toMatch(/^[0-9a-f]{10}$/);
});

test("an idle compiler does not keep its parent alive, and hands on nothing of its environment", async () => {
  const script = `
    import { readFileSync, readdirSync } from "node:fs";
    import { createCompiler } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, "../../lib/compiler/compiler.ts")).href)};
    const compiler = createCompiler({ entry: ${JSON.stringify(entry)} });
    const { kind } = await compiler.compile(${JSON.stringify(fine)});
    const [child] = readFileSync("/proc/self/task/" + process.pid + "/children", "utf8").split(" ");
    console.log(kind, readFileSync("/proc/" + child + "/environ", "utf8").includes("SECRET"));`;
  if (!readdirSync("/").includes("proc")) return;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "-e", script],
    {
      env: { ...process.env, SECRET: "s3cr3t" },
      timeout: 60_000,
    },
  );
  expect(stdout.trim()).toBe("compiled false");
});
