import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EmptyApiServer } from "./api-server.ts";
import type { Pair } from "./cold.ts";
import { document, thing } from "./documents.ts";
import type { Answer, Probe } from "./http.ts";
import { run, start, type Program } from "./process.ts";
import type { Field, Race } from "./throughput.ts";

const node = process.execPath;

/** The files that mocks are started with, and Node's code cache. */
export interface MockFiles {
  readonly document: string;
  readonly compiled: string;
  readonly cache: string;
}

/** Writes a document of 100 operations and compiles it by the built command line. */
export async function prepareMock(folder: string): Promise<MockFiles> {
  const files = {
    document: join(folder, "document.json"),
    compiled: join(folder, "document.compiled"),
    cache: cacheOf(folder),
  };
  writeFileSync(files.document, document(100));
  await run(node, ["dist/cli.cjs", "compile", files.document, "-o", files.compiled]);
  return files;
}

/** Functions are started as the image starts them, with V8's code cache; bare has it too. */
function cacheOf(folder: string): string {
  return join(folder, "cache");
}

const json = { "Content-Type": "application/json" };
const get: Probe = { method: "GET", path: "/things7/1", headers: {}, body: "", status: 200 };
const post: Probe = {
  method: "POST",
  path: "/things7/1",
  headers: json,
  body: JSON.stringify(thing(7)),
  status: 201,
};

function event(type: string, extra: Record<string, string>): Record<string, string> {
  return {
    "ce-specversion": "1.0",
    "ce-id": "1",
    "ce-source": "/bench",
    "ce-type": type,
    ...json,
    ...extra,
  };
}

const absent = {
  kind: "APIMock",
  namespace: "default",
  name: "absent",
  apiVersion: "apirator.io/v1alpha1",
};

/** Reconcile and resync against bare node:http that makes the very calls that they make, seen in a run before. */
export async function functionPairs(api: EmptyApiServer, folder: string): Promise<Pair[]> {
  const cache = { NODE_COMPILE_CACHE: cacheOf(folder) };
  const env = {
    ...cache,
    KUBECONFIG: api.kubeconfig,
    MOCK_IMAGE: "apirator",
    RECONCILE_URL: "http://127.0.0.1:9",
    NODE_ENV: "production",
  };
  const plans = [
    {
      name: "reconcile, an event of an absent mock",
      file: "reconcile",
      probe: {
        method: "POST",
        path: "/",
        headers: event("dev.knative.apiserver.ref.update", {
          "ce-kind": "APIMock",
          "ce-apiversion": "apirator.io/v1alpha1",
          "ce-namespace": "default",
          "ce-name": "absent",
        }),
        body: JSON.stringify(absent),
        status: 204,
      },
    },
    {
      name: "resync, a ping, nothing there",
      file: "resync",
      probe: {
        method: "POST",
        path: "/",
        headers: event("dev.knative.sources.ping", {}),
        body: "{}",
        status: 204,
      },
    },
  ];
  const pairs: Pair[] = [];
  for (const plan of plans) {
    const ours = { name: plan.file, command: [node, `dist/${plan.file}.cjs`], env };
    await (await start(ours, plan.probe)).stop();
    const calls = api.takeCalls();
    const bare = {
      name: "bare",
      command: [node, "test/bench/bare/function.cjs"],
      env: { ...cache, CALLS: JSON.stringify(calls), API_SERVER: api.url, CA_FILE: api.caFile },
    };
    pairs.push({
      name: `${plan.name} (${calls.length} reads)`,
      probe: plan.probe,
      ours,
      bare,
      budget: 1.9,
    });
  }
  return pairs;
}

function ourMock(files: MockFiles): Program {
  return {
    name: "apirator",
    command: [node, "dist/mock.cjs"],
    env: {
      NODE_COMPILE_CACHE: files.cache,
      DEFINITION: files.compiled,
      NODE_ENV: "production",
    },
  };
}

function bareMock(files: MockFiles, answer: Answer): Program {
  const headers = Object.fromEntries(
    Object.entries(answer.headers).filter(
      ([name]) =>
        !["date", "connection", "keep-alive", "content-length", "transfer-encoding"].includes(name),
    ),
  );
  return {
    name: "bare",
    command: [node, "test/bench/bare/mock.cjs"],
    env: {
      NODE_COMPILE_CACHE: files.cache,
      DEFINITION: files.compiled,
      ANSWER: JSON.stringify({ status: answer.status, headers, body: answer.body }),
    },
  };
}

async function answerOf(program: Program, probe: Probe): Promise<Answer> {
  const running = await start(program, probe);
  await running.stop();
  return running.answer;
}

/** The mock against bare node:http that reads the same file and sends the same bytes. */
export async function mockPairs(files: MockFiles): Promise<Pair[]> {
  const ours = ourMock(files);
  return [
    {
      name: "mock, first GET of 100 operations",
      probe: get,
      ours,
      bare: bareMock(files, await answerOf(ours, get)),
      budget: 1.9,
    },
    {
      name: "mock, first validated POST",
      probe: post,
      ours,
      bare: bareMock(files, await answerOf(ours, post)),
      budget: 2.3,
    },
  ];
}

/** Ours, bare and the peers, with what each race asks. */
export async function races(files: MockFiles): Promise<[Field, readonly Race[]]> {
  const ours = ourMock(files);
  const answers = new Map<Probe, Answer>([
    [get, await answerOf(ours, get)],
    [post, await answerOf(ours, post)],
  ]);
  const peers: Program[] = [
    {
      name: "scalar",
      command: [node, "test/bench/peers/scalar.js"],
      env: { DOCUMENT: files.document },
    },
    {
      name: "prism",
      command: [
        node,
        "test/bench/peers/node_modules/@stoplight/prism-cli/dist/index.js",
        "mock",
        files.document,
        "-h",
        "127.0.0.1",
        "-p",
        "{PORT}",
      ],
      env: {},
    },
  ];
  const bare = (race: Race) => bareMock(files, answers.get(race.probe) as Answer);
  return [
    { ours, bare, peers },
    [
      { name: "mock, GET of an example", probe: get, againstBare: 0.6, againstPeer: 2.5 },
      { name: "mock, POST with a validated body", probe: post, againstBare: 0.4, againstPeer: 3 },
    ],
  ];
}
