import { describe, expect, test } from "vitest";
import { kinds } from "../../lib/cluster/kinds.ts";
import type { Ground } from "./cluster-contract-world.ts";
import {
  configMapOf,
  failureOf,
  leftOf,
  keyOf,
  mockOf,
  ownedBy,
} from "./cluster-contract-world.ts";

const held = "example.com/held";

/** Removal, finalizers, garbage collection, and JSON Patch, which removes finalizers. */
export function deletionContract(ground: Ground): void {
  describe("removal", () => {
    test("a removed object is leftOf, and removing it again is no error", async () => {
      const map = await ground.cluster.apply(configMapOf(ground, ground.name()));
      await ground.cluster.remove(kinds.configMap, keyOf(map), {});
      expect(await leftOf(ground.cluster, kinds.configMap, keyOf(map))).toBeUndefined();
      await ground.cluster.remove(kinds.configMap, keyOf(map), { uid: map.metadata.uid ?? "" });
    });

    test("an object made anew has another uid and begins at generation 1", async () => {
      const mock = mockOf(ground, ground.name());
      const first = await ground.cluster.apply(mock);
      await ground.cluster.apply({ ...mock, spec: { definition: "b" } });
      await ground.cluster.remove(kinds.apimock, keyOf(mock), {});
      const second = await ground.cluster.apply(mock);
      expect(second.metadata.uid).not.toBe(first.metadata.uid);
      expect(second.metadata.generation).toBe(1);
    });

    test.for(["uid", "resourceVersion"] as const)(
      "another %s than expected is a conflict and removes nothing",
      async (field) => {
        const map = await ground.cluster.apply(configMapOf(ground, ground.name()));
        const { uid = "", resourceVersion = "" } = map.metadata;
        const expected = { uid, resourceVersion, [field]: field === "uid" ? "other" : "1" };
        const error = await failureOf(ground.cluster.remove(kinds.configMap, keyOf(map), expected));
        expect(error).toMatchObject({ status: 409, class: "again" });
        expect(await ground.cluster.get(kinds.configMap, keyOf(map))).toEqual(map);
        await ground.cluster.remove(kinds.configMap, keyOf(map), { uid, resourceVersion });
        expect(await leftOf(ground.cluster, kinds.configMap, keyOf(map))).toBeUndefined();
      },
    );
  });

  describe("finalizers", () => {
    test("an object with a finalizer stays, marked, until the last one is removed", async () => {
      const mock = mockOf(ground, ground.name(), { metadata: { finalizers: [held] } });
      await ground.as("kubectl").apply(mock);
      await ground.cluster.remove(kinds.apimock, keyOf(mock), {});
      const marked = await ground.cluster.get(kinds.apimock, keyOf(mock));
      expect(marked?.metadata.deletionTimestamp).toMatch(/Z$/);
      await ground.cluster.remove(kinds.apimock, keyOf(mock), {});
      expect(await ground.cluster.get(kinds.apimock, keyOf(mock))).toEqual(marked);
      await ground.cluster.patch(kinds.apimock, keyOf(mock), [
        { op: "test", path: "/metadata/finalizers/0", value: held },
        { op: "remove", path: "/metadata/finalizers/0" },
      ]);
      expect(await leftOf(ground.cluster, kinds.apimock, keyOf(mock))).toBeUndefined();
    });

    test("a marked object takes changes and no new finalizers", async () => {
      const metadata = { finalizers: [held] };
      const mock = mockOf(ground, ground.name(), { metadata });
      await ground.as("kubectl").apply(mock);
      await ground.cluster.remove(kinds.apimock, keyOf(mock), {});
      const status = { phase: "Running" };
      expect((await ground.cluster.applyStatus({ ...mock, status }))["status"]).toEqual(status);
      const call = ground.cluster.patch(kinds.apimock, keyOf(mock), [
        { op: "add", path: "/metadata/finalizers/-", value: "example.com/more" },
      ]);
      expect(await failureOf(call)).toMatchObject({ status: 422, class: "invalid" });
      await ground.cluster.patch(kinds.apimock, keyOf(mock), [
        { op: "remove", path: "/metadata/finalizers" },
      ]);
      expect(await leftOf(ground.cluster, kinds.apimock, keyOf(mock))).toBeUndefined();
    });

    test("a manager that drops its finalizer lets go, and leaves those of others", async () => {
      const mock = mockOf(ground, ground.name());
      const holding = (...finalizers: string[]) => ({
        ...mock,
        metadata: { ...mock.metadata, finalizers },
      });
      await ground.cluster.apply(holding(held, "example.com/more"));
      await ground.as("kubectl").apply(holding("example.com/other"));
      const left = await ground.cluster.apply(holding("example.com/more"));
      expect(left.metadata.finalizers?.toSorted()).toEqual([
        "example.com/more",
        "example.com/other",
      ]);
      await ground.cluster.apply(mock);
      await ground.as("kubectl").apply(mock);
      await ground.cluster.remove(kinds.apimock, keyOf(mock), {});
      expect(await leftOf(ground.cluster, kinds.apimock, keyOf(mock))).toBeUndefined();
    });
  });

  describe("JSON Patch", () => {
    test("all operations happen, in their order", async () => {
      const map = configMapOf(ground, ground.name(), {
        metadata: { annotations: { "example.com/b": "2" } },
        fields: { data: { a: "1" } },
      });
      await ground.as("kubectl").apply(map);
      const patched = await ground.cluster.patch(kinds.configMap, keyOf(map), [
        { op: "test", path: "/metadata/annotations/example.com~1b", value: "2" },
        { op: "remove", path: "/data/a" },
        { op: "add", path: "/data/d", value: "3" },
        { op: "replace", path: "/data/d", value: "4" },
      ]);
      expect(patched["data"]).toEqual({ d: "4" });
    });

    test("a test that fails is 422, and none of the operations happens", async () => {
      const map = await ground.cluster.apply(
        configMapOf(ground, ground.name(), { fields: { data: { a: "1" } } }),
      );
      const call = ground.cluster.patch(kinds.configMap, keyOf(map), [
        { op: "replace", path: "/data/a", value: "2" },
        { op: "test", path: "/data/a", value: "1" },
      ]);
      expect(await failureOf(call)).toMatchObject({ status: 422, class: "invalid" });
      expect(await ground.cluster.get(kinds.configMap, keyOf(map))).toEqual(map);
    });

    test("what a patch writes belongs to its writer: an apply of another leaves it", async () => {
      const map = configMapOf(ground, ground.name(), { fields: { data: { a: "1" } } });
      await ground.cluster.apply(map);
      await ground
        .as("kubectl")
        .patch(kinds.configMap, keyOf(map), [{ op: "add", path: "/data/b", value: "2" }]);
      expect((await ground.cluster.apply(map))["data"]).toEqual({ a: "1", b: "2" });
    });

    test("what a patch takes over is no longer the applier's to remove", async () => {
      const map = configMapOf(ground, ground.name(), { fields: { data: { a: "1" } } });
      await ground.cluster.apply(map);
      await ground
        .as("kubectl")
        .patch(kinds.configMap, keyOf(map), [{ op: "replace", path: "/data/a", value: "2" }]);
      const applied = await ground.cluster.apply({ ...map, data: { c: "3" } });
      expect(applied["data"]).toEqual({ a: "2", c: "3" });
    });

    test("a patch of an absent object is 404, and nothing is left to do", async () => {
      const key = { namespace: ground.namespace, name: ground.name() };
      const call = ground.cluster.patch(kinds.apimock, key, [{ op: "remove", path: "/spec" }]);
      expect(await failureOf(call)).toMatchObject({ status: 404, class: "terminating" });
    });

    test("the name of an object cannot be changed", async () => {
      const map = await ground.cluster.apply(configMapOf(ground, ground.name()));
      const call = ground.cluster.patch(kinds.configMap, keyOf(map), [
        { op: "replace", path: "/metadata/name", value: "other" },
      ]);
      expect(await failureOf(call)).toMatchObject({ class: "invalid" });
    });
  });

  describe("garbage collection", () => {
    test("what a removed object owns goes after it, and what that owns too", async () => {
      const owner = await ground.cluster.apply(mockOf(ground, ground.name("owner")));
      const owned = (owner: object) => ({ metadata: { ownerReferences: [owner] } });
      const child = await ground.cluster.apply(
        configMapOf(ground, ground.name("child"), owned(ownedBy(owner))),
      );
      const grandchild = await ground.cluster.apply(
        configMapOf(ground, ground.name("grandchild"), owned(ownedBy(child))),
      );
      await ground.cluster.remove(kinds.apimock, keyOf(owner), {});
      expect(await leftOf(ground.cluster, kinds.configMap, keyOf(child))).toBeUndefined();
      expect(await leftOf(ground.cluster, kinds.configMap, keyOf(grandchild))).toBeUndefined();
    });

    test("what an object owns that never was goes too", async () => {
      const never = mockOf(ground, ground.name("never"), { metadata: { uid: "never-was" } });
      const child = configMapOf(ground, ground.name("child"), {
        metadata: { ownerReferences: [ownedBy(never)] },
      });
      await ground.cluster.apply(child);
      expect(await leftOf(ground.cluster, kinds.configMap, keyOf(child))).toBeUndefined();
    });

    test("an owner made anew under its old name does not keep what the old one owned", async () => {
      const mock = mockOf(ground, ground.name("owner"));
      const first = await ground.cluster.apply(mock);
      await ground.cluster.remove(kinds.apimock, keyOf(mock), {});
      await ground.cluster.apply(mock);
      const child = configMapOf(ground, ground.name("child"), {
        metadata: { ownerReferences: [ownedBy(first)] },
      });
      await ground.cluster.apply(child);
      expect(await leftOf(ground.cluster, kinds.configMap, keyOf(child))).toBeUndefined();
    });

    test("an object with another owner that is there stays", async () => {
      const [one, two] = [
        await ground.cluster.apply(mockOf(ground, ground.name("owner"))),
        await ground.cluster.apply(mockOf(ground, ground.name("owner"))),
      ];
      const child = configMapOf(ground, ground.name("child"), {
        metadata: { ownerReferences: [ownedBy(one), ownedBy(two, false)] },
      });
      await ground.cluster.apply(child);
      // A witness with one owner: once it is leftOf, the collector has seen the removal.
      const witness = configMapOf(ground, ground.name("witness"), {
        metadata: { ownerReferences: [ownedBy(one)] },
      });
      await ground.cluster.apply(witness);
      await ground.cluster.remove(kinds.apimock, keyOf(one), {});
      expect(await leftOf(ground.cluster, kinds.configMap, keyOf(witness))).toBeUndefined();
      expect(await ground.cluster.get(kinds.configMap, keyOf(child))).toBeDefined();
      await ground.cluster.remove(kinds.apimock, keyOf(two), {});
      expect(await leftOf(ground.cluster, kinds.configMap, keyOf(child))).toBeUndefined();
    });
  });
}
