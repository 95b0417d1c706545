import { beforeAll, expect, test } from "vitest";
import { configMapOf } from "../../functions/reconcile/configmap.ts";
import { kserviceOf } from "../../functions/reconcile/kservice.ts";
import { createResyncApp } from "../../functions/resync/app.ts";
import { fingerprint } from "../../lib/applied.ts";
import type { APIMock } from "../../lib/apimock.ts";
import { buildOf } from "../../lib/build.ts";
import { type Event, resyncEvent } from "../../lib/cloudevent.ts";
import type { Cluster, KubeObject } from "../../lib/cluster/cluster.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import { createMetrics } from "../../lib/metrics.ts";
import { badText, definitionText, mockOf, postOf, sharedConfigMap } from "../support/builders.ts";
import { countedCluster } from "../support/counting.ts";
import { failed, faultyCluster } from "../support/faults.ts";
import { createStage, type Stage } from "../support/stage.ts";

const ping: Event = {
  ...resyncEvent(
    { namespace: "apirator-system", name: "resync" },
    { id: "1", time: "2030-01-01T00:00:00Z" },
  ),
  type: "dev.knative.sources.ping",
  data: {},
};

const presentBuild = buildOf({ image: "apirator:test", compiler: "test" });

/** Answers the names that a resync asked for, its list calls, and its status. */
async function resynced(
  stage: Pick<Stage, "memory" | "clock">,
  over: { all?: true; build?: string; around?: (cluster: Cluster) => Cluster } = {},
): Promise<{ names: string[]; calls: string[]; status: number; logged: unknown[] }> {
  const names: string[] = [];
  const logged: unknown[] = [];
  const { cluster, calls } = countedCluster(stage.memory.as("resync"));
  const app = createResyncApp({
    cluster: (over.around ?? ((same) => same))(cluster),
    build: () => over.build ?? presentBuild,
    post: async (event) => {
      names.push(String(event["name"]));
      return 204;
    },
    clock: stage.clock,
    random: () => 0.5,
    id: () => "id",
    log: (level, message, fields) => logged.push({ level, message, ...fields }),
    metrics: createMetrics(),
  });
  const data = over.all === true ? { all: true } : {};
  const { status } = await app.request(postOf({ ...ping, data }));
  return { names: names.toSorted(), calls, status, logged };
}

async function settledStage(): Promise<Stage> {
  const stage = createStage();
  await stage.user.apply(sharedConfigMap("apis", { data: { "a.json": definitionText("one") } }));
  await stage.user.apply(mockOf("bets"));
  await stage.user.apply(
    mockOf("from", { definitionFrom: { configMapKeyRef: { name: "apis", key: "a.json" } } }),
  );
  await stage.user.apply(mockOf("typo", { definition: badText }));
  for (const name of ["bets", "from", "typo"]) await stage.settle(name);
  return stage;
}

test("mocks at rest are sent nothing, also where a definition is refused", async () => {
  const stage = await settledStage();
  expect(await resynced(stage)).toMatchObject({ names: [], status: 204 });
});

const at = (name: string): { namespace: string; name: string } => ({ namespace: "default", name });

test.for<{
  what: string;
  change: (stage: Stage) => Promise<unknown>;
  names: string[];
  /** Asked for also after a reconcile: what is wrong shows in no list. */
  again?: string[];
}>([
  {
    what: "a new mock",
    change: async ({ user }) => await user.apply(mockOf("more")),
    names: ["more"],
  },
  {
    what: "an edit",
    change: async ({ user }) =>
      await user.apply(mockOf("bets", { definition: definitionText("two") })),
    names: ["bets"],
  },
  {
    what: "a KService that was removed",
    change: async ({ user }) => await user.remove(kinds.kservice, at("bets"), {}),
    names: ["bets"],
  },
  {
    what: "a KService that was changed",
    change: async ({ user }) =>
      await user.patch(kinds.kservice, at("bets"), [
        { op: "replace", path: "/spec/template/spec/containerConcurrency", value: 3 },
      ]),
    names: ["bets"],
  },
  {
    what: "a ConfigMap that was removed",
    change: async (stage) => {
      const hash = (await stage.mock("bets"))?.status?.definition?.hash;
      await stage.user.remove(kinds.configMap, at(`bets-${hash}`), {});
    },
    names: ["bets"],
  },
  {
    what: "a shared ConfigMap that was changed",
    change: async ({ user }) =>
      await user.apply(sharedConfigMap("apis", { data: { "a.json": definitionText("two") } })),
    names: ["from"],
  },
  {
    what: "a shared ConfigMap that is shared no more",
    change: async ({ user }) =>
      await user.apply(sharedConfigMap("apis", { data: { "a.json": definitionText("one") } }, {})),
    names: ["from"],
    again: ["from"],
  },
  {
    what: "a KService that lost the label by which it is found",
    change: async ({ user }) =>
      await user.patch(kinds.kservice, at("bets"), [
        { op: "remove", path: "/metadata/labels/apirator.io~1mock" },
      ]),
    names: ["bets"],
  },
  {
    what: "a KService that lost another label",
    change: async ({ user }) =>
      await user.patch(kinds.kservice, at("bets"), [
        { op: "remove", path: "/metadata/labels/app.kubernetes.io~1component" },
      ]),
    names: ["bets"],
  },
  {
    what: "a ConfigMap that lost an annotation",
    change: async (stage) => {
      const hash = (await stage.mock("bets"))?.status?.definition?.hash;
      await stage.user.patch(kinds.configMap, at(`bets-${hash}`), [
        { op: "remove", path: "/metadata/annotations/apirator.io~1source" },
      ]);
    },
    names: ["bets"],
  },
  {
    what: "a KService that lost its owner",
    change: async ({ user }) =>
      await user.patch(kinds.kservice, at("bets"), [
        { op: "remove", path: "/metadata/ownerReferences" },
      ]),
    names: ["bets"],
  },
  {
    what: "an address that moved",
    change: async (stage) => {
      const status = { ...(await stage.mock("bets"))?.status, url: "http://elsewhere.example" };
      await stage.user.applyStatus({ ...mockOf("bets"), status });
    },
    names: ["bets"],
  },
  {
    what: "a status that somebody wrote over",
    change: async ({ user }) =>
      await user.applyStatus({ ...mockOf("bets"), status: { observedGeneration: 0 } }),
    names: ["bets"],
  },
])(
  "after the lost event of $what it is asked for: $names",
  async ({ change, names, again = [] }) => {
    const stage = await settledStage();
    await change(stage);
    expect((await resynced(stage)).names).toEqual(names);
    for (const name of names) await stage.settle(name);
    expect((await resynced(stage)).names).toEqual(again);
  },
);

test("a mock that became ready without an event is asked for", async () => {
  const stage = createStage();
  await stage.user.apply(mockOf("bets"));
  await stage.reconcile("bets");
  expect((await stage.mock("bets"))?.status?.phase).toBe("Pending");
  expect((await resynced(stage)).names).toEqual(["bets"]);
});

test("a mock whose ConfigMaps have become too many is asked for, until they are cleaned up", async () => {
  const stage = createStage();
  for (const name of ["one", "two", "three", "four", "five", "six"]) {
    await stage.user.apply(mockOf("bets", { definition: definitionText(name) }));
    await stage.settle("bets");
    stage.clock.move(60_000);
  }
  expect((await resynced(stage)).names).toEqual(["bets"]);
  stage.clock.move(900_000);
  await stage.settle("bets");
  expect((await resynced(stage)).names).toEqual([]);
});

test("with all every mock is asked for", async () => {
  const stage = await settledStage();
  expect((await resynced(stage, { all: true })).names).toEqual(["bets", "from", "typo"]);
});

test("a cluster without Knative asks again for the mocks that lack it", async () => {
  const stage = createStage({ without: [kinds.kservice, kinds.revision], serving: false });
  await stage.user.apply(mockOf("bets"));
  await stage.settle("bets");
  expect(await resynced(stage)).toMatchObject({ names: ["bets"], status: 204 });
});

test("lists that cannot be had are answered 503, a request that is no event 400", async () => {
  const stage = await settledStage();
  const around = (cluster: Cluster): Cluster =>
    faultyCluster(cluster, (call) =>
      call === "listRows APIMock" ? failed(500, "etcd is down") : undefined,
    );
  expect(await resynced(stage, { around })).toMatchObject({ names: [], status: 503 });
});

/** Answers a stage of many mocks as a reconcile leaves them at rest, written as they are: reconciling each would take a minute. */
async function manySettled(count: number): Promise<Stage> {
  const stage = createStage({ serving: false });
  const operator = stage.memory.as("apirator");
  for (let index = 0; index < count; index += 1) {
    const mock = (await stage.user.apply(mockOf(`mock-${index}`))) as APIMock;
    const definition = { hash: "0123456789", version: "3.0.3", title: "API", operations: 1 };
    const packed = new Uint8Array();
    const configMap = await operator.apply(
      configMapOf(mock, { ...definition, source: "source", info: definition, packed }),
    );
    const kservice = await operator.apply(
      kserviceOf(mock, definition.hash, { image: "apirator:test" }),
    );
    const { apiVersion, kind, metadata } = kservice;
    const conditions = [{ type: "Ready", status: "True" }];
    await operator.applyStatus({
      apiVersion,
      kind,
      metadata: at(metadata.name),
      status: { conditions },
    });
    await operator.applyStatus({
      ...mock,
      metadata: at(mock.metadata.name),
      status: {
        observedGeneration: mock.metadata.generation,
        phase: "Running",
        definition,
        build: presentBuild,
        applied: fingerprint([
          { kind: kinds.kservice, metadata },
          { kind: kinds.configMap, metadata: configMap.metadata },
        ]),
        conditions: [{ type: "Ready", status: "True", reason: "Serving" }],
      },
    });
  }
  return stage;
}

let many: Stage;
const count = 1200;

beforeAll(async () => {
  many = await manySettled(count);
}, 240_000);

test("1,200 mocks at rest cost no more than six lists per 500 and six, read no definition, and are sent nothing", async () => {
  const { names, calls } = await resynced(many);
  expect(names).toEqual([]);
  expect(calls.length).toBeLessThanOrEqual(6 * Math.ceil(count / 500) + 6);
  expect(calls.filter((call) => !/^list(Rows|Metadata) /.test(call))).toEqual([]);
});

test("what a resync gets to see holds no definition", async () => {
  const seen: unknown[] = [];
  const around = (cluster: Cluster): Cluster => ({
    ...cluster,
    listRows: async (kind, options) => {
      const page = await cluster.listRows(kind, options);
      seen.push(page);
      return page;
    },
    listMetadata: async (kind, options) => {
      const page = await cluster.listMetadata(kind, options);
      seen.push(page);
      return page;
    },
  });
  await resynced(many, { around });
  expect(seen.length).toBeGreaterThan(0);
  expect(JSON.stringify(seen)).not.toContain("operationId");
});

test("an upgrade is rolled twenty mocks at a time", async () => {
  expect((await resynced(many, { build: "next" })).names).toHaveLength(20);
});

test("an upgrade waits while five mocks are starting or failing; what needs work does not", async () => {
  for (let index = 0; index < 5; index += 1) {
    const mock = (await many.mock(`mock-${index}`)) as unknown as KubeObject;
    const status = { ...(mock["status"] as object), phase: "Pending" };
    await many.memory.as("apirator").applyStatus({
      apiVersion: mock.apiVersion,
      kind: mock.kind,
      metadata: at(`mock-${index}`),
      status,
    });
  }
  const { names, logged } = await resynced(many, { build: "next" });
  expect(names).toEqual([]);
  // Five that never become ready would hold up an upgrade for ever: whoever asks why must find it.
  expect(logged).toMatchObject([{ level: "info", postponed: count, unready: 5 }]);
  await many.user.apply(mockOf("mock-9", { definition: definitionText("two") }));
  expect((await resynced(many, { build: "next" })).names).toEqual(["mock-9"]);
});
