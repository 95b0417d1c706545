import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createWorld } from "../../cli/world.ts";
import { type Event, eventOf, keyOf } from "../../lib/cloudevent.ts";
import type { KubeObject } from "../../lib/cluster/cluster.ts";
import { createBroker } from "../../lib/embedded/broker.ts";
import { createSource } from "../../lib/embedded/source.ts";
import type { WatchEvent } from "../../lib/embedded/watch.ts";
import { compilerHere } from "../support/compiler.ts";

/** What Knative's ApiServerSource and PingSource sent on a real cluster, as it came over HTTP (`test/cluster/record.test.ts` records and compares). */
interface RecordedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function recorded(name: string): RecordedRequest[] {
  return readFileSync(`test/fixtures/events/${name}.ndjson`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as RecordedRequest);
}

const references = recorded("references");
const resources = recorded("resources");
const pings = recorded("pings");

function eventIn(request: RecordedRequest): Event {
  const reading = eventOf(request);
  if (reading.kind === "none") throw new Error(reading.why);
  return reading.event;
}

function requestAt(url: string, { headers, body }: RecordedRequest): Request {
  const { Host: _, "Content-Length": __, ...sent } = headers;
  return new Request(url, { method: "POST", headers: sent, body });
}

test("every add, update and delete of mocks, their ConfigMaps and KServices was recorded", () => {
  const sorts = (requests: readonly RecordedRequest[]) =>
    [
      ...new Set(
        requests
          .map(eventIn)
          .map(({ type, ...event }) => `${type.split(".").at(-1)} ${String(event["kind"])}`),
      ),
    ].toSorted();
  const all = [
    ...["APIMock", "ConfigMap", "Service"].map((kind) => `add ${kind}`),
    ...["APIMock", "ConfigMap", "Service"].map((kind) => `delete ${kind}`),
    ...["APIMock", "Service"].map((kind) => `update ${kind}`),
  ];
  expect(sorts(references)).toEqual(all);
  expect(sorts(resources)).toEqual(all);
});

test("each recorded request is an event of the mock that its object is or belongs to", () => {
  for (const request of [...references, ...resources]) {
    const event = eventIn(request);
    const mock = /^(bets|typo|weather)\b/.exec(String(event["name"]))?.[1];
    expect(keyOf(event)).toEqual({ kind: "mock", namespace: "default", name: mock });
  }
});

test.for([
  ["references", references],
  ["resources", resources],
] as const)("reconcile takes all recorded %s as they were sent", async ([, requests]) => {
  const world = createWorld({ compiler: compilerHere });
  for (const request of requests) {
    const answer = await world.reconcile(requestAt("http://reconcile/", request));
    expect(answer.status).toBe(204);
  }
});

test("resync takes the recorded ping as it was sent, and asks for no mock but those that need it", async () => {
  const world = createWorld({ compiler: compilerHere });
  for (const ping of pings) {
    expect(eventIn(ping)).toMatchObject({ type: "dev.knative.sources.ping", data: {} });
    const answer = await world.resync(requestAt("http://resync/", ping));
    expect(answer.status).toBe(204);
  }
  expect(world.memory.objects()).toEqual([]);
});

const changes = { add: "ADDED", update: "MODIFIED", delete: "DELETED" } as const;

/** Answers what the stand-in for the source sends for the change that a recorded event in Resource mode tells of. */
async function standInFor(event: Event, mode: "Reference" | "Resource"): Promise<Event> {
  const object = event.data as KubeObject;
  const verb = event.type.split(".").at(-1) as keyof typeof changes;
  const sent: Event[] = [];
  let change: (event: WatchEvent) => void = () => {};
  const source = createSource({
    watch: (listener) => {
      change = listener;
      return () => {};
    },
    mode,
    resources: [{ apiVersion: object.apiVersion, kind: object.kind }],
    host: event.source,
    id: () => event.id,
    now: () => new Date(String(event.time)),
    sleep: () => Promise.resolve(),
    send: (each) => Promise.resolve(sent.push(each) && 204),
  });
  change({ type: changes[verb], object } as WatchEvent);
  await source.settled();
  return sent[0]!;
}

test("the source's stand-in sends what the real source sent", async () => {
  for (const event of resources.map(eventIn)) {
    const { time, ...made } = await standInFor(event, "Resource");
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d+Z$/);
    expect({ ...made, time: event.time }).toEqual({ ...event });
  }
});

test("the source's stand-in sends the references that the real source sent", async () => {
  const real = references
    .map(eventIn)
    .map(({ type, subject, data }) => JSON.stringify([type, subject, data]));
  for (const event of resources.map(eventIn)) {
    const { type, subject, data } = await standInFor(event, "Reference");
    expect(real).toContain(JSON.stringify([type, subject, data]));
  }
});

test("what comes through the Broker's stand-in has the attributes that came through the real one", async () => {
  const delivered: Event[] = [];
  const broker = createBroker({
    subscriber: "http://reconcile/",
    deliver: (event) => {
      delivered.push(event);
      return Promise.resolve(new Response(null, { status: 204 }));
    },
    now: () => new Date(0),
    sleep: () => Promise.resolve(),
  });
  broker.publish(await standInFor(eventIn(resources[0]!), "Reference"));
  await broker.settled();
  const names = (event: Event) =>
    Object.entries(event)
      .flatMap(([name, value]) => (value === undefined ? [] : [name]))
      .toSorted();
  expect(delivered.map(names)).toEqual([names(eventIn(references[0]!))]);
});
