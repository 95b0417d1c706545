import { expect, test } from "vitest";
import type { KubeObject } from "../../lib/cluster/cluster.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import { configurationCrd } from "../../lib/embedded/knative.ts";
import { createMemoryCluster } from "../../lib/embedded/memory.ts";
import { createServing } from "../../lib/embedded/serving.ts";
import { noLog } from "../../lib/log.ts";
import { definitionFile } from "../../lib/names.ts";

const key = { namespace: "default", name: "bets" };

/** Knative Serving on an empty cluster; a mock answers the text of its ConfigMap, and does not start where that is "broken". */
function installed() {
  let uids = 0;
  let time = Date.parse("2030-01-01T00:00:00Z");
  const starts: string[] = [];
  const memory = createMemoryCluster({
    crds: [configurationCrd],
    now: () => new Date(time),
    uid: () => `uid-${(uids += 1)}`,
  });
  const serving = createServing({
    memory,
    url: ({ namespace, name }) => `http://gateway/${namespace}/${name}`,
    now: () => new Date((time += 1000)),
    log: noLog,
    start: async (bytes, { MODE = "" }) => {
      const text = new TextDecoder().decode(bytes);
      starts.push(text);
      if (text === "broken") throw new Error("definition cannot be read");
      return { fetch: () => new Response(`${text} ${MODE}`.trim()) };
    },
  });
  const user = memory.as("apirator");
  const call = async () => {
    const response = await serving.fetch(key, new Request("http://gateway/"), {});
    return response === undefined ? undefined : response.text();
  };
  const status = async () => (await user.get(kinds.kservice, key))?.["status"];
  const revisions = async () =>
    (await user.list(kinds.revision, { labelSelector: "serving.knative.dev/service=bets" })).items;
  return { serving, user, memory, starts, call, status, revisions };
}

const configMap = (name: string, text: string): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default" },
  binaryData: { [definitionFile]: btoa(text) },
});

const kservice = (mounts: string, mode = ""): KubeObject => ({
  apiVersion: "serving.knative.dev/v1",
  kind: "Service",
  metadata: { ...key, labels: { "apirator.io/mock": "bets" } },
  spec: {
    template: {
      metadata: { labels: { "apirator.io/mock": "bets" } },
      spec: {
        containers: [{ image: "apirator", env: [{ name: "MODE", value: mode }] }],
        volumes: [{ name: "definition", configMap: { name: mounts } }],
      },
    },
    traffic: [{ latestRevision: true, percent: 100 }],
  },
});

const ready = (status: string): unknown =>
  expect.arrayContaining([expect.objectContaining({ type: "Ready", status })]);

test("a KService whose mock starts becomes Ready, with the names and labels of Knative", async () => {
  const { serving, user, status, revisions } = installed();
  await user.apply(configMap("bets-a", "one"));
  await user.apply(kservice("bets-a"));
  await serving.settled();
  expect(await status()).toMatchObject({
    observedGeneration: 1,
    conditions: ready("True"),
    latestCreatedRevisionName: "bets-00001",
    latestReadyRevisionName: "bets-00001",
    url: "http://gateway/default/bets",
    traffic: [{ latestRevision: true, percent: 100, revisionName: "bets-00001" }],
  });
  expect(await revisions()).toMatchObject([
    {
      metadata: {
        name: "bets-00001",
        labels: {
          "apirator.io/mock": "bets",
          "serving.knative.dev/service": "bets",
          "serving.knative.dev/configuration": "bets",
          "serving.knative.dev/configurationGeneration": "1",
          "serving.knative.dev/routingState": "active",
        },
        ownerReferences: [{ kind: "Configuration", name: "bets", controller: true }],
      },
      spec: { volumes: [{ configMap: { name: "bets-a" } }] },
      status: { observedGeneration: 1, conditions: ready("True") },
    },
  ]);
});

test("a new template takes the traffic; the Revision before it is in reserve, with the time", async () => {
  const { serving, user, call, revisions } = installed();
  await user.apply(configMap("bets-a", "one"));
  await user.apply(configMap("bets-b", "two"));
  await user.apply(kservice("bets-a"));
  await serving.settled();
  expect(await call()).toBe("one");
  await user.apply(kservice("bets-b"));
  await serving.settled();
  expect(await call()).toBe("two");
  expect(
    (await revisions()).map(
      ({ metadata }) => metadata.labels?.["serving.knative.dev/routingState"],
    ),
  ).toEqual(["reserve", "active"]);
  expect((await revisions())[0]?.metadata.annotations).toEqual({
    "serving.knative.dev/routingStateModified": expect.stringMatching(/^2030-01-01T00:/) as unknown,
  });
});

test.for([
  ["whose ConfigMap is missing", "bets-none", 'configmap "bets-none" not found'],
  ["that does not load", "bets-broken", "Container failed with: definition cannot be read"],
])(
  "a Revision %s fails, and the last ready one goes on answering",
  async ([, mounts = "", why = ""]) => {
    const { serving, user, call, status, revisions } = installed();
    await user.apply(configMap("bets-a", "one"));
    await user.apply(configMap("bets-broken", "broken"));
    await user.apply(kservice("bets-a"));
    await serving.settled();
    await user.apply(kservice(mounts));
    await serving.settled();
    expect(await call()).toBe("one");
    expect(await status()).toMatchObject({
      observedGeneration: 2,
      latestCreatedRevisionName: "bets-00002",
      latestReadyRevisionName: "bets-00001",
      traffic: [{ revisionName: "bets-00001" }],
      conditions: expect.arrayContaining([
        expect.objectContaining({
          type: "Ready",
          status: "False",
          reason: "RevisionFailed",
          message: `Revision "bets-00002" failed with message: ${why}.`,
        }),
        expect.objectContaining({ type: "RoutesReady", status: "True" }),
      ]) as unknown,
    });
    expect(
      (await revisions()).map(
        ({ metadata }) => metadata.labels?.["serving.knative.dev/routingState"],
      ),
    ).toEqual(["active", "pending"]);
  },
);

test("a Revision that waited for its ConfigMap is ready when that comes", async () => {
  const { serving, user, call, status } = installed();
  await user.apply(kservice("bets-a"));
  await serving.settled();
  expect(await status()).toMatchObject({ conditions: ready("False"), traffic: [] });
  expect(await call()).toBeUndefined();
  await user.apply(configMap("bets-a", "one"));
  await serving.settled();
  expect(await status()).toMatchObject({ conditions: ready("True") });
  expect(await call()).toBe("one");
});

test("a mock is started once to see that it can be, then by its first request, and not again", async () => {
  const { serving, user, call, starts } = installed();
  await user.apply(configMap("bets-a", "one"));
  await user.apply(kservice("bets-a"));
  await serving.settled();
  expect(starts).toHaveLength(1);
  await Promise.all([call(), call()]);
  await call();
  expect(starts).toHaveLength(2);
});

test("the environment of the container reaches the mock", async () => {
  const { serving, user, call } = installed();
  await user.apply(configMap("bets-a", "one"));
  await user.apply(kservice("bets-a", "warn"));
  await serving.settled();
  expect(await call()).toBe("one warn");
});

test("a change that is not the template's makes no Revision", async () => {
  const { serving, user, revisions } = installed();
  await user.apply(configMap("bets-a", "one"));
  await user.apply(kservice("bets-a"));
  await serving.settled();
  const other = kservice("bets-a");
  await user.apply({ ...other, metadata: { ...other.metadata, annotations: { note: "x" } } });
  await serving.settled();
  expect(await revisions()).toHaveLength(1);
});

test("a settled KService is left alone: nothing is written twice", async () => {
  const { serving, user, memory } = installed();
  await user.apply(configMap("bets-a", "one"));
  await user.apply(kservice("bets-a"));
  await serving.settled();
  const before = JSON.stringify(memory.objects());
  await user.apply(kservice("bets-a"));
  await user.apply(configMap("other", "x"));
  await user.remove(kinds.configMap, { namespace: "default", name: "other" }, {});
  await serving.settled();
  expect(JSON.stringify(memory.objects())).toBe(before);
});

test("a KService that is removed takes its Configuration and Revisions along, and answers no more", async () => {
  const { serving, user, memory, call } = installed();
  await user.apply(configMap("bets-a", "one"));
  await user.apply(kservice("bets-a"));
  await serving.settled();
  await user.remove(kinds.kservice, key, {});
  await serving.settled();
  expect(memory.objects().map(({ kind }) => kind)).toEqual(["ConfigMap"]);
  expect(await call()).toBeUndefined();
});

test("a mock whose ConfigMap is gone stays Ready and cannot be started", async () => {
  const { serving, user, call, status } = installed();
  await user.apply(configMap("bets-a", "one"));
  await user.apply(kservice("bets-a"));
  await serving.settled();
  await user.remove(kinds.configMap, { namespace: "default", name: "bets-a" }, {});
  await serving.settled();
  expect(await status()).toMatchObject({ conditions: ready("True") });
  await expect(call()).rejects.toThrow('configmap "bets-a" not found');
});

test("a name of 63 characters has Revisions too", async () => {
  const { serving, user, memory } = installed();
  const name = "b".repeat(63);
  await user.apply(configMap("bets-a", "one"));
  const long = kservice("bets-a");
  await user.apply({ ...long, metadata: { ...long.metadata, name } });
  await serving.settled();
  const revision = memory.objects().find(({ kind }) => kind === "Revision");
  expect(revision?.metadata.name).toMatch(/^b+-uid-\d-00001$/);
  expect(revision?.metadata.name.length).toBeLessThanOrEqual(63);
});
