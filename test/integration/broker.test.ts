import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { KubeObject } from "../../lib/cluster/cluster.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import type { BrokerParts } from "../../lib/embedded/broker.ts";
import { createBroker } from "../../lib/embedded/broker.ts";
import type { Event } from "../../lib/cloudevent.ts";
import { requestOf } from "../../lib/embedded/message.ts";
import type { SourceParts, WatchedResource } from "../../lib/embedded/source.ts";
import { createSource } from "../../lib/embedded/source.ts";
import { watchedResources } from "../../cli/watched.ts";
import { testCluster } from "../support/memory.ts";

const now = () => new Date("2030-01-01T00:00:00Z");
const event: Event = { specversion: "1.0", id: "1", source: "test", type: "t" };

/** A subscriber that gives these answers one after the other (the last again and again), and what a broker made of them. */
async function delivered(...answers: (() => Response)[]) {
  const waits: number[] = [];
  const dead: Event[] = [];
  let attempts = 0;
  const deliver: BrokerParts["deliver"] = async () => {
    attempts += 1;
    return (answers[attempts - 1] ?? answers.at(-1) ?? (() => Response.error()))();
  };
  const sleep = async (milliseconds: number) => void waits.push(milliseconds);
  const broker = createBroker({
    subscriber: "http://reconcile/",
    deliver,
    sleep,
    now,
    deadLetter: (letter) => dead.push(letter),
  });
  expect(broker.publish(event)).toBe(202);
  await broker.settled();
  return { attempts, waits, dead, counts: broker.counts() };
}

const answer =
  (status: number, body?: string, headers = {}) =>
  () =>
    new Response(body ?? null, { status, headers });

test.for([204, 202, 200])("a %i without a body is delivered once", async (status) => {
  const { attempts, counts } = await delivered(answer(status));
  expect({ attempts, counts }).toEqual({
    attempts: 1,
    counts: { delivered: 1, retries: 0, deadLetters: 0 },
  });
});

test.for([404, 408, 409, 429, 500, 503])(
  "a %i comes five times more, over 15.5 seconds, and then is a dead letter",
  async (status) => {
    const { attempts, waits, dead } = await delivered(answer(status, "no"));
    expect({ attempts, waits }).toEqual({ attempts: 6, waits: [500, 1000, 2000, 4000, 8000] });
    expect(dead).toMatchObject([
      {
        id: "1",
        knativeerrordest: "http://reconcile/",
        knativeerrorcode: String(status),
        knativeerrordata: btoa("no"),
      },
    ]);
  },
);

test.for([302, 400, 401, 403, 410, 422])("a %i is a dead letter at once", async (status) => {
  const { attempts, dead } = await delivered(answer(status));
  expect({ attempts, dead: dead.length }).toEqual({ attempts: 1, dead: 1 });
});

test("a 200 whose body is no CloudEvent comes again", async () => {
  const { attempts, counts } = await delivered(answer(200, "ok"), answer(204));
  expect({ attempts, counts }).toEqual({
    attempts: 2,
    counts: { delivered: 1, retries: 1, deadLetters: 0 },
  });
});

test("a 200 with a CloudEvent is delivered", async () => {
  const { attempts } = await delivered(answer(200, "{}", { "ce-specversion": "1.0" }));
  expect(attempts).toBe(1);
});

test("a subscriber that cannot be reached is tried again", async () => {
  const refuse = () => {
    throw new TypeError("fetch failed");
  };
  const { attempts, counts } = await delivered(refuse, answer(204));
  expect({ attempts, retries: counts.retries }).toEqual({ attempts: 2, retries: 1 });
});

test("one event that is retried holds up no other", async () => {
  const order: string[] = [];
  let first = true;
  const broker = createBroker({
    subscriber: "http://reconcile/",
    now,
    sleep: async () => void (await new Promise((resolve) => setTimeout(resolve, 1))),
    deliver: async ({ id }) => {
      const fails = id === "1" && first;
      if (fails) first = false;
      else order.push(id);
      return answer(fails ? 503 : 204)();
    },
  });
  broker.publish(event);
  broker.publish({ ...event, id: "2" });
  await broker.settled();
  expect(order).toEqual(["2", "1"]);
});

/** A source on an empty cluster, with what its sink got. */
function sourced(parts: Partial<SourceParts> = {}) {
  const memory = testCluster();
  const sent: Event[] = [];
  let ids = 0;
  const source = createSource({
    watch: (listener, options) => memory.watch(listener, options),
    mode: "Reference",
    resources: watchedResources,
    host: "https://10.96.0.1:443",
    id: () => `id-${(ids += 1)}`,
    now,
    sleep: async () => {},
    send: async (event) => sent.push(event) && 202,
    ...parts,
  });
  return { memory, source, sent, user: memory.as("kubectl") };
}

const configMap = (labels: Record<string, string>, name = "pets-aaa"): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "mocks", labels },
  data: { a: "b" },
});

test("in Reference mode an event is what ApiServerSource sends, to the letter", async () => {
  const { source, sent, user } = sourced();
  await user.apply(configMap({ "apirator.io/mock": "pets" }));
  await source.settled();
  expect(sent).toEqual([
    {
      specversion: "1.0",
      id: "id-1",
      source: "https://10.96.0.1:443",
      type: "dev.knative.apiserver.ref.add",
      subject: "/apis/v1/namespaces/mocks/configmaps/pets-aaa",
      time: "2030-01-01T00:00:00.000Z",
      datacontenttype: "application/json",
      apiversion: "v1",
      kind: "ConfigMap",
      name: "pets-aaa",
      namespace: "mocks",
      data: { kind: "ConfigMap", namespace: "mocks", name: "pets-aaa", apiVersion: "v1" },
    },
  ]);
});

test("an event goes out in binary mode", async () => {
  const { source, sent, user } = sourced();
  await user.apply(configMap({ "apirator.io/mock": "pets" }));
  await source.settled();
  const request = requestOf({ ...sent[0]!, subject: "é" }, "http://reconcile/");
  expect(Object.fromEntries(request.headers)).toMatchObject({
    "content-type": "application/json",
    "ce-type": "dev.knative.apiserver.ref.add",
    "ce-name": "pets-aaa",
    "ce-subject": "%C3%A9",
  });
  expect(await request.json()).toMatchObject({ kind: "ConfigMap", name: "pets-aaa" });
});

test("in Resource mode an event carries the object; a removal its last state", async () => {
  const { source, sent, user } = sourced({ mode: "Resource" });
  await user.apply(configMap({ "apirator.io/mock": "pets" }));
  await user.remove(kinds.configMap, { namespace: "mocks", name: "pets-aaa" }, {});
  await source.settled();
  expect(sent.map(({ type }) => type)).toEqual([
    "dev.knative.apiserver.resource.add",
    "dev.knative.apiserver.resource.delete",
  ]);
  expect(sent[1]?.data).toMatchObject({ kind: "ConfigMap", data: { a: "b" } });
});

test("what carries no label of ours is not sent, and one that loses it is a delete", async () => {
  const { source, sent, user } = sourced();
  await user.apply(configMap({}, "other"));
  await user.apply(configMap({ "apirator.io/mock": "pets" }));
  await user.apply(configMap({}));
  await source.settled();
  expect(sent.map(({ type, name }) => `${type} ${String(name)}`)).toEqual([
    "dev.knative.apiserver.ref.add pets-aaa",
    "dev.knative.apiserver.ref.delete pets-aaa",
  ]);
});

test.for([
  [404, 6],
  [429, 6],
  [503, 6],
  [500, 1],
  [400, 1],
  [409, 1],
] as const)("a sink's %i is tried %i times, then the event is dropped", async ([status, times]) => {
  const waits: number[] = [];
  let attempts = 0;
  const { source, user } = sourced({
    sleep: async (milliseconds) => void waits.push(milliseconds),
    send: async () => (attempts += 1) && status,
  });
  await user.apply(configMap({ "apirator.io/mock": "pets" }));
  await source.settled();
  expect({ attempts, dropped: source.dropped() }).toEqual({ attempts: times, dropped: 1 });
  expect(waits).toEqual([100, 200, 400, 800, 1600].slice(0, times - 1));
});

test("the embedded source watches what the installed one watches", () => {
  const installed = parse(readFileSync("knative/operator/source.yaml", "utf8")) as {
    spec: { mode: string; resources: WatchedResource[] };
  };
  expect(installed.spec.mode).toBe("Reference");
  expect(watchedResources).toEqual(installed.spec.resources);
});
