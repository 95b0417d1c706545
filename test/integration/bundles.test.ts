import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { createServer, type AddressInfo } from "node:net";
import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { kinds } from "../../lib/cluster/kinds.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { builtBundles, type Bundles } from "../support/bundles.ts";
import { testCluster } from "../support/memory.ts";

let bundles: Bundles;
beforeAll(() => {
  bundles = builtBundles();
});

test.for<[file: string, kilobytes: number]>([
  ["reconcile.cjs", 260],
  ["resync.cjs", 230],
  ["mock.cjs", 200],
])("%s starts from at most %i KB", ([file, kilobytes]) => {
  expect(bundles.bytes(bundles.parts(file))).toBeLessThanOrEqual(kilobytes * 1000);
});

const programs = ["reconcile.cjs", "resync.cjs", "mock.cjs", "compile.cjs", "cli.cjs"];

test.for(programs)("%s needs nothing but Node", (file) => {
  const needed = bundles.externals(bundles.parts(file, true));
  expect(needed.filter((name) => !builtinModules.includes(name.replace(/^node:/, "")))).toEqual([]);
});

test.for(programs)("%s sends no requests by a client of the client's", (file) => {
  const inputs = bundles.inputs(bundles.parts(file, true));
  const clients = ["undici", "ws", "socks", "socks-proxy-agent", "hpagent", "node-fetch"];
  expect(inputs.filter((input) => clients.includes(input))).toEqual([]);
});

const notAtOnce = ["lib/schema/validator.ts", "lib/definition/compile.ts", "yaml", "node:http2"];

test.for<[file: string, not: string[]]>([
  ["mock.cjs", [...notAtOnce, "ajv", "@faker-js/faker"]],
  ["reconcile.cjs", [...notAtOnce, "openid-client"]],
  ["resync.cjs", [...notAtOnce, "openid-client"]],
])("%s starts without what only some need: %j", ([file, not]) => {
  const parts = bundles.parts(file);
  const loaded = [...bundles.inputs(parts), ...bundles.externals(parts)];
  expect(loaded.filter((input) => not.includes(input))).toEqual([]);
});

test("the licence of each bundled package goes along", () => {
  const packages = programs
    .flatMap((file) => bundles.inputs(bundles.parts(file, true)))
    .filter((input) => !/^((lib|functions|cli|image)\/|left-out:)/.test(input));
  const text = readFileSync(bundles.file("LICENSES.txt"), "utf8");
  expect(
    packages.filter((name) => !new RegExp(`^${name} \\d.* \\(.+\\)$`, "m").test(text)),
  ).toEqual([]);
});

const memory = testCluster();
let api: ApiServer;
beforeAll(async () => {
  api = await startApiServer((manager) => memory.as(manager));
});
afterAll(async () => await api.close());

const definition = `openapi: 3.1.0
info: {title: Bets, version: "1"}
paths:
  /bets:
    get:
      responses: {"200": {description: all, content: {application/json: {example: [1]}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: integer}}}}
      responses: {"201": {description: made}}
`;

function apirator(...args: string[]): { status: number | null; out: string; err: string } {
  const options = { encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [bundles.file("cli.cjs"), ...args],
    options,
  );
  return { status, out: stdout, err: stderr };
}

/** Starts a program on a free port, on the Node that runs this; asks it, then ends it, and answers what it was asked. */
async function ask<Answer>(
  file: string,
  environment: Readonly<Record<string, string>>,
  question: (url: string) => Promise<Answer>,
): Promise<Answer> {
  const free = createServer().listen(0, "127.0.0.1");
  await once(free, "listening");
  const { port } = free.address() as AddressInfo;
  free.close();
  const env = { ...environment, PORT: String(port) };
  const program = spawn(process.execPath, [bundles.file(file)], { env, stdio: "inherit" });
  const ended = once(program, "exit");
  try {
    for (let tries = 0; program.exitCode === null && tries < 400; tries += 1) {
      const answers = await fetch(`http://127.0.0.1:${port}`).then(
        () => true,
        () => false,
      );
      if (answers) break;
      await setTimeout(25);
    }
    return await question(`http://127.0.0.1:${port}`);
  } finally {
    program.kill();
    await ended;
  }
}

async function send(url: string, event: Readonly<Record<string, string>>): Promise<number> {
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  const attributes = { specversion: "1.0", id: "1", source: "/test", ...event };
  for (const [name, value] of Object.entries(attributes)) headers[`ce-${name}`] = value;
  return (await fetch(url, { method: "POST", headers, body: "{}" })).status;
}

test("the command line says its version, and what is wrong with a definition", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect(apirator("--version")).toEqual({ status: 0, out: `${version}\n`, err: "" });
  const file = bundles.file("bad.yaml");
  writeFileSync(file, definition.replace("title: Bets, ", ""));
  expect(apirator("validate", file)).toMatchObject({ status: 1 });
});

/** Takes away what Node 20 lacks, from the program and from those that it starts. */
const older = { NODE_OPTIONS: `--require ${resolve("test/fixtures/node/older.cjs")}` };

/** Makes the program fail where it touches what takes Node as long to load as to start. */
const lean = { NODE_OPTIONS: `--require ${resolve("test/fixtures/node/lean.cjs")}` };

test.for([
  ["on an older Node too", older],
  ["without Node's fetch", lean],
] as const)(
  "a mock answers and validates from what the command line compiled, %s",
  async ([, node]) => {
    writeFileSync(bundles.file("bets.yaml"), definition);
    const DEFINITION = bundles.file("bets.compiled");
    expect(apirator("compile", bundles.file("bets.yaml"), "-o", DEFINITION)).toMatchObject({
      status: 0,
    });
    const statuses = await ask("mock.cjs", { DEFINITION, ...node }, async (url) => {
      const post = async (body: string): Promise<number> => {
        const headers = { "Content-Type": "application/json" };
        return (await fetch(`${url}/bets`, { method: "POST", headers, body })).status;
      };
      return [(await fetch(`${url}/bets`)).status, await post("1"), await post('"x"')];
    });
    expect(statuses).toEqual([200, 201, 422]);
  },
);

test("a mock finds each part that it loads when needed", async () => {
  const text = `openapi: 3.1.0
info: {title: Parts, version: "1"}
paths:
  /p:
    get:
      responses:
        "200":
          description: all
          content:
            application/json: {schema: {type: object, required: [n], properties: {n: {type: integer}}}}
            application/yaml: {example: {n: 1}}
    post:
      requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object, required: [n]}}}}
      responses: {"201": {description: made}}
`;
  writeFileSync(bundles.file("parts.yaml"), text);
  const DEFINITION = bundles.file("parts.compiled");
  apirator("compile", bundles.file("parts.yaml"), "-o", DEFINITION);
  const get = { method: "GET" };
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  const asked: readonly (readonly [path: string, RequestInit, status: number, body: RegExp])[] = [
    ["/p", { ...get, headers: { Accept: "application/yaml" } }, 200, /^n: 1\n$/],
    ["/p", { ...get, headers: { Prefer: "dynamic=true, seed=a" } }, 200, /^\{"n":-?\d+\}$/],
    ["/p", { ...get, headers: { Prefer: "explain" } }, 200, /"route"/],
    ["/p", { method: "POST", headers: form, body: "m=1" }, 422, /required|must have/],
    [
      "/p",
      { method: "POST", headers: { ...form, "Content-Encoding": "gzip" }, body: "x" },
      400,
      /malformed/,
    ],
    ["/__apirator/docs", get, 200, /<!doctype html>/i],
    ["/__apirator/definition.json", get, 200, /^\{\s*"openapi"/],
    ["/__apirator/definition.yaml", get, 200, /^openapi: 3\.1\.0/],
    ["/__apirator/metrics", get, 200, /# EOF\n$/],
  ];
  await ask("mock.cjs", { DEFINITION }, async (url) => {
    for (const [path, init, status, body] of asked) {
      const answer = await fetch(`${url}${path}`, init);
      expect([path, answer.status, await answer.text()]).toEqual([
        path,
        status,
        expect.stringMatching(body),
      ]);
    }
  });
});

test("reconcile compiles and applies over TLS, on an older Node too", async () => {
  const key = { namespace: "default", name: "bets" };
  const { apiVersion, kind } = kinds.apimock;
  await memory.as("kubectl").apply({ apiVersion, kind, metadata: key, spec: { definition } });
  const environment = { KUBECONFIG: api.kubeconfig(), MOCK_IMAGE: "apirator", ...older };
  const event = { type: "dev.knative.apiserver.ref.add", kind, apiversion: apiVersion, ...key };
  expect(await ask("reconcile.cjs", environment, async (url) => await send(url, event))).toBe(204);
  expect((await memory.as("test").list(kinds.configMap, {})).items).toHaveLength(1);
  expect(await memory.as("test").get(kinds.kservice, key)).toBeDefined();
});

test("resync answers a ping where there is nothing to do, without Node's fetch", async () => {
  const nothing = testCluster();
  const empty = await startApiServer((manager) => nothing.as(manager));
  const environment = {
    KUBECONFIG: empty.kubeconfig(),
    MOCK_IMAGE: "apirator",
    RECONCILE_URL: "http://127.0.0.1:9",
    ...lean,
  };
  const event = { type: "dev.knative.sources.ping" };
  try {
    expect(await ask("resync.cjs", environment, async (url) => await send(url, event))).toBe(204);
    expect(empty.requests.length).toBeGreaterThan(0);
  } finally {
    await empty.close();
  }
});
