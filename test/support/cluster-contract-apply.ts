import { describe, expect, test } from "vitest";
import { kinds } from "../../lib/cluster/kinds.ts";
import type { Ground } from "./cluster-contract-world.ts";
import { configMapOf, failureOf, keyOf, mockOf, ownedBy } from "./cluster-contract-world.ts";

/** Server-side apply: versions, no-ops, and whose field is whose. */
export function applyContract(ground: Ground): void {
  describe("apply", () => {
    test("an object that is not there is undefined", async () => {
      const key = { namespace: ground.namespace, name: ground.name() };
      expect(await ground.cluster.get(kinds.apimock, key)).toBeUndefined();
    });

    test("a new object gets a uid, a resourceVersion, a generation and a time", async () => {
      const { metadata } = await ground.cluster.apply(mockOf(ground, ground.name()));
      expect(metadata.uid).toEqual(expect.stringMatching(/./));
      expect(metadata.resourceVersion).toEqual(expect.stringMatching(/^\d+$/));
      expect(metadata.generation).toBe(1);
      expect(metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    });

    test("what apply answers is what is stored", async () => {
      const applied = await ground.cluster.apply(mockOf(ground, ground.name()));
      expect(await ground.cluster.get(kinds.apimock, keyOf(applied))).toEqual(applied);
    });

    test("the same apply again changes nothing, not even the resourceVersion", async () => {
      const mock = mockOf(ground, ground.name(), { metadata: { labels: { a: "1" } } });
      const first = await ground.cluster.apply(mock);
      expect(await ground.cluster.apply(mock)).toEqual(first);
    });

    test("the generation rises with the spec alone", async () => {
      const mock = mockOf(ground, ground.name());
      const generation = async (more: object) =>
        (await ground.cluster.apply({ ...mock, ...more })).metadata.generation;
      await ground.cluster.apply(mock);
      const labels = { ...mock.metadata, labels: { a: "1" } };
      expect(await generation({ metadata: labels })).toBe(1);
      await ground.cluster.applyStatus({ ...mock, status: { phase: "Running" } });
      expect(await generation({ metadata: labels })).toBe(1);
      expect(await generation({ metadata: labels, spec: { definition: "b" } })).toBe(2);
    });

    test("a ConfigMap has no generation", async () => {
      const made = await ground.cluster.apply(configMapOf(ground, ground.name()));
      expect(made.metadata.generation).toBeUndefined();
    });

    test("each change has a resourceVersion of its own", async () => {
      const map = configMapOf(ground, ground.name());
      const first = await ground.cluster.apply({ ...map, data: { a: "1" } });
      const second = await ground.cluster.apply({ ...map, data: { a: "2" } });
      expect(second.metadata.resourceVersion).not.toBe(first.metadata.resourceVersion);
      expect(second.metadata.uid).toBe(first.metadata.uid);
    });

    test("an apply with an old resourceVersion is a conflict and changes nothing", async () => {
      const map = configMapOf(ground, ground.name());
      const { resourceVersion } = (await ground.cluster.apply({ ...map, data: { a: "1" } }))
        .metadata;
      const now = await ground.cluster.apply({ ...map, data: { a: "2" } });
      const metadata = { ...map.metadata, resourceVersion: resourceVersion ?? "" };
      const error = await failureOf(ground.cluster.apply({ ...map, metadata, data: { a: "3" } }));
      expect(error).toMatchObject({ status: 409, reason: "Conflict", class: "again" });
      expect(error.isConflict).toBe(true);
      expect(await ground.cluster.get(kinds.configMap, keyOf(map))).toEqual(now);
    });

    test("an apply with the present resourceVersion goes through", async () => {
      const map = configMapOf(ground, ground.name());
      const { resourceVersion } = (await ground.cluster.apply(map)).metadata;
      const metadata = { ...map.metadata, resourceVersion: resourceVersion ?? "" };
      const applied = await ground.cluster.apply({ ...map, metadata, data: { a: "1" } });
      expect(applied["data"]).toEqual({ a: "1" });
    });

    test("a resourceVersion is ignored where the object is absent", async () => {
      const metadata = { resourceVersion: "1" };
      const made = await ground.cluster.apply(configMapOf(ground, ground.name(), { metadata }));
      expect(made.metadata.resourceVersion).not.toBe("1");
    });

    test("a uid where the object is absent is a conflict", async () => {
      const metadata = { uid: "00000000-0000-4000-8000-000000000000" };
      const map = configMapOf(ground, ground.name(), { metadata });
      expect(await failureOf(ground.cluster.apply(map))).toMatchObject({ status: 409 });
      expect(await ground.cluster.get(kinds.configMap, keyOf(map))).toBeUndefined();
    });

    test("another uid than the object's is refused", async () => {
      const map = configMapOf(ground, ground.name());
      const made = await ground.cluster.apply(map);
      const metadata = { ...map.metadata, uid: "00000000-0000-4000-8000-000000000000" };
      const error = await failureOf(ground.cluster.apply({ ...map, metadata, data: { a: "1" } }));
      expect([409, 422]).toContain(error.status);
      expect(await ground.cluster.get(kinds.configMap, keyOf(map))).toEqual(made);
    });

    test("nobody changes what is stored through an object that was given or answered", async () => {
      const map = configMapOf(ground, ground.name(), { fields: { data: { a: "1" } } });
      const answered = await ground.cluster.apply(map);
      const before = structuredClone(answered);
      for (const object of [map, answered]) {
        try {
          Object.assign(object["data"] as object, { a: "changed" });
        } catch {
          // A frozen object is one way to keep this promise.
        }
      }
      expect(await ground.cluster.get(kinds.configMap, keyOf(map))).toEqual(before);
    });
  });

  describe("whose field is whose", () => {
    test("a field that its manager drops disappears", async () => {
      const map = configMapOf(ground, ground.name());
      await ground.cluster.apply({ ...map, data: { a: "1", b: "2" } });
      const applied = await ground.cluster.apply({ ...map, data: { b: "2" } });
      expect(applied["data"]).toEqual({ b: "2" });
    });

    test("a dropped field with a default falls back to it", async () => {
      const name = ground.name();
      const spec = { definition: "a", mock: { seed: "s", cors: false } };
      await ground.cluster.apply(mockOf(ground, name, { spec }));
      const applied = await ground.cluster.apply(mockOf(ground, name));
      expect(applied["spec"]).toMatchObject({ mock: { seed: "", cors: true } });
    });

    test("a field of another manager stays, also where the first drops everything", async () => {
      const map = configMapOf(ground, ground.name());
      await ground.cluster.apply({ ...map, data: { a: "1" } });
      await ground.as("kubectl").apply({ ...map, data: { b: "2" } });
      expect((await ground.cluster.apply(map))["data"]).toEqual({ b: "2" });
    });

    test("an apply takes a field of another value over, and the loser cannot remove it", async () => {
      const map = configMapOf(ground, ground.name());
      await ground.as("kubectl").apply({ ...map, data: { a: "theirs", b: "2" } });
      await ground.cluster.apply({ ...map, data: { a: "ours" } });
      const applied = await ground.as("kubectl").apply({ ...map, data: { b: "2" } });
      expect(applied["data"]).toEqual({ a: "ours", b: "2" });
    });

    test("a field that two managers set stays until both drop it", async () => {
      const map = configMapOf(ground, ground.name());
      await ground.as("kubectl").apply({ ...map, data: { a: "1" } });
      await ground.cluster.apply({ ...map, data: { a: "1" } });
      expect((await ground.as("kubectl").apply(map))["data"]).toEqual({ a: "1" });
      expect((await ground.cluster.apply(map))["data"] ?? {}).toEqual({});
    });

    test("labels and annotations of two managers live side by side", async () => {
      const map = configMapOf(ground, ground.name());
      const withMeta = (more: object) => ({ ...map, metadata: { ...map.metadata, ...more } });
      await ground.cluster.apply(withMeta({ labels: { a: "1" }, annotations: { x: "1" } }));
      await ground.as("kubectl").apply(withMeta({ labels: { b: "2" } }));
      const applied = await ground.cluster.apply(withMeta({ labels: { a: "3" } }));
      expect(applied.metadata.labels).toEqual({ a: "3", b: "2" });
      expect(applied.metadata.annotations ?? {}).toEqual({});
    });

    test("owner references are merged by uid", async () => {
      const [one, two] = [
        await ground.cluster.apply(mockOf(ground, ground.name("owner"))),
        await ground.cluster.apply(mockOf(ground, ground.name("owner"))),
      ];
      const map = configMapOf(ground, ground.name());
      const owned = (...ownerReferences: object[]) => ({
        ...map,
        metadata: { ...map.metadata, ownerReferences: ownerReferences as [] },
      });
      await ground.cluster.apply(owned(ownedBy(one)));
      const both = await ground.as("kubectl").apply(owned(ownedBy(two, false)));
      expect(both.metadata.ownerReferences?.map((owner) => owner.uid)).toEqual([
        one.metadata.uid,
        two.metadata.uid,
      ]);
      const left = await ground.cluster.apply(owned());
      expect(left.metadata.ownerReferences?.map((owner) => owner.uid)).toEqual([two.metadata.uid]);
    });

    test("a second controller is refused, and may go through later", async () => {
      const [one, two] = [
        await ground.cluster.apply(mockOf(ground, ground.name("owner"))),
        await ground.cluster.apply(mockOf(ground, ground.name("owner"))),
      ];
      const name = ground.name();
      const owned = (owner: object) =>
        configMapOf(ground, name, { metadata: { ownerReferences: [owner] } });
      await ground.as("kubectl").apply(owned(ownedBy(one)));
      const error = await failureOf(ground.cluster.apply(owned(ownedBy(two))));
      expect(error).toMatchObject({ status: 422, class: "again" });
    });

    test("a Deployment's containers and their environment are merged by name", async () => {
      const deployment = (containers: object[]) => ({
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { namespace: ground.namespace, name },
        spec: {
          replicas: 0,
          selector: { matchLabels: { app: name } },
          template: { metadata: { labels: { app: name } }, spec: { containers } },
        },
      });
      const name = ground.name();
      const env = (...names: string[]) => names.map((name) => ({ name, value: "1" }));
      await ground.cluster.apply(deployment([{ name: "a", image: "a", env: env("A", "B") }]));
      await ground.as("kubectl").apply(
        deployment([
          { name: "a", image: "a", env: env("C") },
          { name: "z", image: "z" },
        ]),
      );
      const applied = await ground.cluster.apply(
        deployment([{ name: "a", image: "b", env: env("B") }]),
      );
      const { containers } = (applied["spec"] as DeploymentSpec).template.spec;
      const names = (texts: readonly { name: string }[] = []) =>
        texts.map((text) => text.name).sort();
      expect(containers.map(({ name, image }) => `${name}=${image}`)).toEqual(["a=b", "z=z"]);
      expect(names(containers[0]?.env)).toEqual(["B", "C"]);
    });
  });
}

interface DeploymentSpec {
  readonly template: {
    readonly spec: {
      readonly containers: { name: string; image: string; env?: { name: string }[] }[];
    };
  };
}
