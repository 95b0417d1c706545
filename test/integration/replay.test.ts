import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, asyncProperty, sample, shuffledSubarray } from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { stringify } from "yaml";
import { readRecording } from "../../cli/recording.ts";
import { seedObjects } from "../../cli/seed.ts";
import { createWorld } from "../../cli/world.ts";
import type { Event } from "../../lib/cloudevent.ts";
import type { KubeObject } from "../../lib/cluster/cluster.ts";
import { sha256 } from "../../lib/hash.ts";
import { requestOf } from "../../lib/embedded/message.ts";
import { apirator, folderWith } from "../support/command-line.ts";
import { apiratorHere } from "../support/command.ts";
import { compilerHere } from "../support/compiler.ts";

const fixture = (name: string): string => join("test/fixtures/events", name);
const recorded = (name: string): Event[] => [
  ...readRecording(readFileSync(fixture(name), "utf8")).events,
];

/** Sends the events through the real function, and answers the world that they end in, without what a cluster makes up. */
async function worldAfter(events: readonly Event[], objects: readonly KubeObject[] = []) {
  let uids = 0;
  const world = createWorld({ compiler: compilerHere, uid: () => `uid-${(uids += 1)}` });
  for (const object of seedObjects(objects, events)) await world.user.apply(object);
  for (const event of events) {
    const { status } = await world.reconcile(requestOf(event, "http://reconcile/"));
    expect(status).toBe(204);
  }
  return world.memory
    .objects()
    .filter(({ kind }) => kind !== "Event")
    .map((object) => JSON.stringify(object, withoutMadeUp))
    .sort();
}

const madeUp = new Set(["uid", "resourceVersion", "creationTimestamp", "managedFields", "lastTransitionTime", "applied"]); // oxfmt-ignore

function withoutMadeUp(name: string, value: unknown): unknown {
  if (typeof value === "string" && value.length > 500) return sha256(value);
  return madeUp.has(name) ? undefined : value;
}

function linesOf(name: string): number {
  return readFileSync(fixture(name), "utf8").trim().split("\n").length;
}

const resources = recorded("resources.ndjson");

test("a recording ends in the same world forwards, backwards and doubled", async () => {
  const forwards = await worldAfter(resources);
  expect(forwards.filter((text) => text.includes('"kind":"APIMock","metadata"'))).toHaveLength(2);
  expect(forwards.filter((text) => text.includes('"kind":"ConfigMap","metadata"'))).toHaveLength(1);
  expect(await worldAfter(resources.toReversed())).toEqual(forwards);
  expect(await worldAfter([...resources, ...resources])).toEqual(forwards);
});

test("a recording ends in the same world in any order", async () => {
  const forwards = await worldAfter(resources);
  const orders = shuffledSubarray(resources, { minLength: resources.length });
  await assert(
    asyncProperty(orders, async (events) => {
      expect(await worldAfter(events)).toEqual(forwards);
    }),
    { numRuns: 8 },
  );
});

/** What the command says that it wrote, in any order, and its last line. */
async function written(events: readonly Event[], ...options: string[]) {
  const file = join(
    folderWith({ "events.ndjson": events.map((event) => JSON.stringify(event)).join("\n") }),
    "events.ndjson",
  );
  const { code, out } = await apiratorHere(["replay", file, ...options]);
  expect(code).toBe(0);
  const lines = out.trimEnd().split("\n");
  const wrote = lines.slice(1, -1).map((line) => line.split(/ {2,}/).at(-1) ?? "");
  return { wrote: wrote.filter((text) => text !== "nothing").sort(), last: lines.at(-1) };
}

test("the command writes the same forwards, backwards, shuffled and doubled", async () => {
  const forwards = await written(resources);
  const { length } = resources;
  expect(forwards.last).toBe(`${length} events, ${length} done, 0 retry`);
  expect(forwards.wrote).toEqual([
    expect.stringMatching(/^ConfigMap bets-[0-9a-f]{10}, KService bets, status$/),
    "status",
  ]);
  expect(await written(resources.toReversed())).toEqual(forwards);
  const order = shuffledSubarray(resources, { minLength: resources.length });
  const [shuffled = []] = sample(order, { numRuns: 1, seed: 7 });
  const doubled = await written([...shuffled, ...resources]);
  expect(doubled).toEqual({
    wrote: forwards.wrote,
    last: `${2 * length} events, ${2 * length} done, 0 retry`,
  });
});

test("the report of a replay is a table, and the second event of a mock writes nothing", async () => {
  expect(await apirator(["replay", fixture("bets.json")])).toEqual({
    code: 0,
    err: "",
    out: [
      "#  EVENT            KEY           OUTCOME  WROTE",
      "1  resource.add     default/bets  done     ConfigMap bets-1f7ba47370, KService bets, status",
      "2  resource.update  default/bets  done     nothing",
      "2 events, 2 done, 0 retry",
      "",
    ].join("\n"),
  });
});

test("references carry no mock: --world brings it", async () => {
  const { code, out, err } = await apiratorHere([
    "replay",
    fixture("references.ndjson"),
    "--world",
    fixture("world.yaml"),
  ]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(
    / ref\.add +default\/weather +done +ConfigMap weather-[0-9a-f]{10}, KService weather, status$/m,
  );
  const { length } = recorded("references.ndjson");
  expect(out).toMatch(new RegExp(`^${length} events, ${length} done, 0 retry$`, "m"));
});

test("a mock that is not in the world is named, and nothing happens to it", async () => {
  const { code, out, err } = await apiratorHere(["replay", fixture("request.json")]);
  expect(code).toBe(0);
  expect(err).toBe(
    "not in the world, so nothing happens to them: default/bets; --world FILE brings mocks\n",
  );
  expect(out).toMatch(/^1 +ref\.add +default\/bets +done +nothing$/m);
});

test.for([
  ["a list", "bets.json", 2],
  ["recorded requests, one a line", "references.ndjson", linesOf("references.ndjson")],
  ["log lines", "function.log", 3],
  ["what event_display prints", "event-display.log", 1],
  ["a recorded request", "request.json", 1],
] as const)("%s is a recording", ([, name, count]) => {
  const events = recorded(name);
  expect(events).toHaveLength(count);
  for (const event of events) {
    expect(event).toMatchObject({ specversion: "1.0", namespace: "default" });
    expect(event.data).toMatchObject({ apiVersion: expect.any(String) as unknown });
  }
});

test("a structured request, standard input and text around an event are read too", async () => {
  const [event] = recorded("request.json");
  const { out } = await apirator(
    ["replay", "-"],
    `noise ${JSON.stringify({ body: JSON.stringify(event) })} noise`,
  );
  expect(out).toMatch(/^1 event, 1 done, 0 retry$/m);
});

test.for([
  "",
  "no event here\n",
  "{}",
  "[]",
  '{"specversion":"1.0"}',
  "{{{{{{",
  '{"headers":null}',
  '"{"',
])("%j holds no event", (text) => {
  expect(readRecording(text).events).toEqual([]);
});

test("a file without an event is said in one line", async () => {
  const { code, out, err } = await apiratorHere(["replay", "-"], "no event here\n");
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(/^apirator: stdin holds no CloudEvent; [^\n]+\n$/);
});

test("an event that is not ours ends well and does nothing", async () => {
  const event = { specversion: "1.0", id: "1", source: "x", type: "com.example.thing" };
  const { code, out } = await apiratorHere(["replay", "-"], JSON.stringify(event));
  expect(code).toBe(0);
  expect(out).toMatch(/^1 +com\.example\.thing +- +done +nothing$/m);
});

test.for([
  [204, 0, "done", "1 event, 1 done, 0 retry"],
  [503, 1, "retry", "1 event, 0 done, 1 retry"],
  [400, 1, "refused", "1 event, 0 done, 0 retry, 1 refused"],
] as const)("--to posts to a function: %i ends with %i", async ([status, code, outcome, last]) => {
  const got: unknown[] = [];
  const server = createServer((request, response) => {
    got.push(request.headers["ce-type"]);
    response.writeHead(status).end(JSON.stringify({ detail: "the reason" }));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const ended = await apiratorHere(["replay", fixture("request.json"), "--to", url]);
  expect(ended.code).toBe(code);
  expect(ended.out).toContain(outcome);
  expect(ended.out).toMatch(new RegExp(`^${last}$`, "m"));
  expect(ended.err).toBe(
    status === 204 ? "" : `event 1: ${outcome}: ${url} answered ${status}: the reason\n`,
  );
  expect(got).toEqual(["dev.knative.apiserver.ref.add"]);
});

test("an event that the function refuses is shown with the reason", async () => {
  const event = { specversion: "0.3", id: "1", source: "x", type: "dev.knative.apiserver.ref.add" };
  const { code, err } = await apiratorHere(["replay", "-"], JSON.stringify(event));
  expect(code).toBe(1);
  expect(err).toMatch(/^event 1: refused: [^\n]*specversion[^\n]*\n$/);
});

test("lines that hold no event are counted", async () => {
  const event = JSON.stringify({ specversion: "1.0", id: "1", source: "x", type: "t" });
  const lines = [event, event.slice(0, -3), event].join("\n");
  const { code, out, err } = await apiratorHere(["replay", "-"], lines);
  expect(code).toBe(0);
  expect(out).toMatch(/^2 events, 2 done, 0 retry$/m);
  expect(err).toBe("stdin: 1 line holds no CloudEvent, passed over\n");
});

test.for([
  [["--to", "ftp://x"], 2, "--to ftp://x is no http URL"],
  [["--to", "http://127.0.0.1:1/"], 1, "http://127.0.0.1:1/ cannot be reached"],
  [["--to", "http://x/", "--cluster"], 2, "give one of --world, --cluster and --to"],
  [["--image", "x"], 2, "--image goes with --cluster"],
  [["--world", "none.yaml"], 1, "none.yaml does not exist"],
  [["--world", "README.md"], 1, "README.md"],
  [["--cluster"], 1, "no cluster is configured"],
] as const)("%j is refused in one line", async ([options, code, message]) => {
  const home = folderWith({});
  const ended = await apirator(["replay", fixture("request.json"), ...options], "", {
    HOME: home,
  });
  expect({ code: ended.code, out: ended.out }).toEqual({ code, out: "" });
  expect(ended.err).toMatch(/^apirator: [^\n]+\n$/);
  expect(ended.err).toContain(message);
});

test("--cluster shows the context, and without an answer sends nothing", async () => {
  const kubeconfig = stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "production",
    contexts: [{ name: "production", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster: { server: "https://127.0.0.1:1" } }],
    users: [{ name: "u", user: {} }],
  });
  const KUBECONFIG = join(folderWith({ config: kubeconfig }), "config");
  const ended = await apirator(["replay", fixture("request.json"), "--cluster"], "", {
    KUBECONFIG,
  });
  expect(ended).toEqual({
    code: 1,
    out: "",
    err: "context production, API server https://127.0.0.1:1\nnothing was sent; --yes does not ask\n",
  });
});

const mockState = (resourceVersion: string, title: string, type = "update"): Event => ({
  specversion: "1.0",
  id: resourceVersion,
  source: "s",
  type: `dev.knative.apiserver.resource.${type}`,
  data: {
    apiVersion: "apirator.io/v1alpha1",
    kind: "APIMock",
    metadata: { name: "m", namespace: "n", uid: "u", resourceVersion },
    spec: { definition: title },
    status: { phase: "Running" },
  },
});

test("the world holds the newest state of a mock, by number and not by text, without its status", () => {
  const events = [mockState("9", "old"), mockState("100", "new"), mockState("10", "older")];
  for (const order of [events, events.toReversed()]) {
    expect(seedObjects([], order)).toEqual([
      {
        apiVersion: "apirator.io/v1alpha1",
        kind: "APIMock",
        metadata: { name: "m", namespace: "n" },
        spec: { definition: "new" },
      },
    ]);
  }
});

test("a mock that the recording deletes is not in the world, wherever the delete stands", () => {
  const gone = [mockState("3", "x", "delete"), mockState("2", "x")];
  expect(seedObjects([], gone)).toEqual([]);
  expect(seedObjects([], gone.toReversed())).toEqual([]);
});
