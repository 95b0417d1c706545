import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../lib/cluster/cluster.ts";
import { ClusterError } from "../../lib/cluster/errors.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import { createMemoryCluster } from "../../lib/embedded/memory.ts";
import { apimockCrd } from "../support/crd.ts";
import { testCluster } from "../support/memory.ts";

function configMap(
  name: string,
  more: { labels?: Record<string, string>; data?: object } = {},
): KubeObject {
  const { labels, data } = more;
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace: "default", name, ...(labels === undefined ? {} : { labels }) },
    ...(data === undefined ? {} : { data }),
  };
}

describe("watch", () => {
  test("events come in the order of commits, with the object as it was committed", async () => {
    const memory = testCluster();
    const cluster = memory.as("kubectl");
    const seen: unknown[] = [];
    memory.watch(({ type, object }) => seen.push([type, object.metadata.name, object["data"]]));
    await cluster.apply(configMap("a", { data: { v: "1" } }));
    await cluster.apply(configMap("b"));
    await cluster.apply(configMap("a", { data: { v: "2" } }));
    await cluster.remove(kinds.configMap, { namespace: "default", name: "a" }, {});
    expect(seen).toEqual([
      ["ADDED", "a", { v: "1" }],
      ["ADDED", "b", undefined],
      ["MODIFIED", "a", { v: "2" }],
      ["DELETED", "a", { v: "2" }],
    ]);
  });

  test("each event has a higher resourceVersion, a removal too", async () => {
    const memory = testCluster();
    const versions: number[] = [];
    memory.watch(({ object }) => versions.push(Number(object.metadata.resourceVersion)));
    await memory.as("kubectl").apply(configMap("a"));
    await memory.as("kubectl").apply(configMap("b"));
    await memory.as("kubectl").remove(kinds.configMap, { namespace: "default", name: "a" }, {});
    expect(versions).toHaveLength(3);
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    expect(new Set(versions).size).toBe(3);
  });

  test("what changes nothing sends nothing", async () => {
    const memory = testCluster();
    await memory.as("kubectl").apply(configMap("a"));
    const seen: unknown[] = [];
    memory.watch((event) => seen.push(event));
    await memory.as("kubectl").apply(configMap("a"));
    await memory
      .as("kubectl")
      .apply(configMap("a", { data: { "not/a/key": "" } }))
      .catch(() => {});
    expect(seen).toEqual([]);
  });

  test("an object that begins to match is added, and one that ends to match is deleted", async () => {
    const memory = testCluster();
    const seen: string[] = [];
    const options = { kind: kinds.configMap, namespace: "default", labelSelector: "on" };
    memory.watch(({ type }) => seen.push(type), options);
    const cluster = memory.as("kubectl");
    await cluster.apply(configMap("a"));
    await cluster.apply(configMap("a", { labels: { on: "1" } }));
    await cluster.apply(configMap("a", { labels: { on: "2" } }));
    await cluster.apply(configMap("a"));
    await cluster.remove(kinds.configMap, { namespace: "default", name: "a" }, {});
    expect(seen).toEqual(["ADDED", "MODIFIED", "DELETED"]);
  });

  test("an ended watch hears nothing", async () => {
    const memory = testCluster();
    const seen: unknown[] = [];
    const stop = memory.watch((event) => seen.push(event));
    stop();
    await memory.as("kubectl").apply(configMap("a"));
    expect(seen).toEqual([]);
  });

  test("who writes while an event is told is told of that after it, like everybody", async () => {
    const memory = testCluster();
    const seen: string[] = [];
    const writes: Promise<unknown>[] = [];
    memory.watch(({ object }) => {
      if (object.metadata.name === "a") writes.push(memory.as("kubectl").apply(configMap("b")));
    });
    memory.watch(({ object }) => seen.push(object.metadata.name));
    await memory.as("kubectl").apply(configMap("a"));
    await Promise.all(writes);
    expect(seen).toEqual(["a", "b"]);
  });
});

describe("the world", () => {
  test("what is answered is frozen, and what was given stays the caller's", async () => {
    const memory = testCluster();
    const given = configMap("a", { data: { v: "1" } });
    const answered = await memory.as("kubectl").apply(given);
    expect(Object.isFrozen(answered["data"])).toBe(true);
    expect(Object.isFrozen(given["data"])).toBe(false);
    expect(memory.objects()).toEqual([answered]);
  });

  test("time and uids come from the arguments", async () => {
    const memory = createMemoryCluster({
      crds: [],
      now: () => new Date("2031-02-03T04:05:06.789Z"),
      uid: () => "the-uid",
    });
    const { metadata } = await memory.as("kubectl").apply(configMap("a"));
    expect(metadata).toMatchObject({ uid: "the-uid", creationTimestamp: "2031-02-03T04:05:06Z" });
  });

  test("a kind that was left out is not served", async () => {
    const memory = createMemoryCluster({
      crds: [apimockCrd()],
      without: [kinds.kservice, kinds.revision],
      now: () => new Date(),
      uid: () => "u",
    });
    const { apiVersion, kind } = kinds.kservice;
    const metadata = { namespace: "default", name: "bets" };
    const cluster = memory.as("apirator");
    expect(await cluster.get(kinds.kservice, metadata)).toBeUndefined();
    await expect(cluster.apply({ apiVersion, kind, metadata })).rejects.toMatchObject({
      class: "unknown-kind",
      status: 404,
    });
    await expect(cluster.list(kinds.revision, {})).rejects.toBeInstanceOf(ClusterError);
  });

  test("dependents of an owner whose kind is not served stay: nobody can tell whether it is there", async () => {
    const memory = testCluster();
    const ownerReferences = [{ apiVersion: "example.com/v1", kind: "Other", name: "o", uid: "o" }];
    const map = configMap("a");
    await memory.as("kubectl").apply({ ...map, metadata: { ...map.metadata, ownerReferences } });
    await new Promise((resolve) => setImmediate(resolve));
    expect(memory.objects()).toHaveLength(1);
  });

  test("objects of one name in two namespaces are two, ordered by namespace", async () => {
    const memory = testCluster();
    const cluster = memory.as("kubectl");
    for (const namespace of ["b", "a-b", "a"])
      await cluster.apply({ ...configMap("x"), metadata: { namespace, name: "x" } });
    const page = await cluster.list(kinds.configMap, {});
    // etcd's order is that of the texts namespace/name: a hyphen comes before the slash.
    expect(page.items.map((item) => item.metadata.namespace)).toEqual(["a-b", "a", "b"]);
  });

  test("an Event begins anew after an hour without it", async () => {
    let now = Date.parse("2030-01-01T00:00:00Z");
    const memory = testCluster(() => new Date(now));
    const cluster = memory.as("apirator");
    const about = await cluster.apply(configMap("a"));
    const note = { about, type: "Normal", reason: "R", note: "n" } as const;
    const counts: unknown[] = [];
    for (const minutes of [0, 30, 59, 61]) {
      now += minutes * 60_000;
      await cluster.recordEvent(note);
      const page = await cluster.list(kinds.event, {});
      counts.push(page.items.map((event) => event["count"]));
    }
    expect(counts).toEqual([[1], [2], [3], [1]]);
  });
});
