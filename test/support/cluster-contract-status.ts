import { describe, expect, test } from "vitest";
import { kinds } from "../../lib/cluster/kinds.ts";
import type { Ground } from "./cluster-contract-world.ts";
import { configMapOf, failureOf, keyOf, mockOf } from "./cluster-contract-world.ts";

const time = "2030-01-01T00:00:00Z";

function condition(type: string, status = "True"): object {
  return {
    type,
    status,
    reason: "R",
    message: "",
    observedGeneration: 1,
    lastTransitionTime: time,
  };
}

/** The status subresource, and Kubernetes Events. */
export function statusContract(ground: Ground): void {
  describe("status", () => {
    test("an apply of the object leaves the status alone", async () => {
      const mock = mockOf(ground, ground.name());
      await ground.cluster.apply({ ...mock, status: { phase: "Failed" } });
      expect(await ground.cluster.get(kinds.apimock, keyOf(mock))).not.toHaveProperty("status");
      await ground.cluster.applyStatus({ ...mock, status: { phase: "Running" } });
      const applied = await ground.cluster.apply({ ...mock, status: { phase: "Failed" } });
      expect(applied["status"]).toEqual({ phase: "Running" });
    });

    test("an apply of the status leaves spec and metadata alone", async () => {
      const mock = mockOf(ground, ground.name());
      const { spec } = await ground.cluster.apply(mock);
      const metadata = { ...mock.metadata, labels: { a: "1" } };
      const applied = await ground.cluster.applyStatus({
        ...mock,
        metadata,
        spec: { definition: "other" },
        status: { phase: "Running" },
      });
      expect(applied["spec"]).toEqual(spec);
      expect(applied.metadata.labels ?? {}).toEqual({});
      expect(applied.metadata.generation).toBe(1);
    });

    test("the same status again changes nothing", async () => {
      const mock = mockOf(ground, ground.name());
      await ground.cluster.apply(mock);
      const status = { phase: "Running", conditions: [condition("Ready")] };
      const first = await ground.cluster.applyStatus({ ...mock, status });
      expect(await ground.cluster.applyStatus({ ...mock, status })).toEqual(first);
    });

    test("a status field that is dropped disappears", async () => {
      const mock = mockOf(ground, ground.name());
      await ground.cluster.apply(mock);
      await ground.cluster.applyStatus({ ...mock, status: { phase: "Running", url: "http://a" } });
      const applied = await ground.cluster.applyStatus({ ...mock, status: { phase: "Running" } });
      expect(applied["status"]).toEqual({ phase: "Running" });
    });

    test("an apply of the object does not drop what the same manager applied to the status", async () => {
      const mock = mockOf(ground, ground.name());
      await ground.cluster.apply(mock);
      await ground.cluster.applyStatus({ ...mock, status: { url: "http://a" } });
      const applied = await ground.cluster.apply({ ...mock, spec: { definition: "b" } });
      expect(applied["status"]).toEqual({ url: "http://a" });
    });

    test("conditions of two managers live side by side, by type", async () => {
      const mock = mockOf(ground, ground.name());
      await ground.cluster.apply(mock);
      const conditions = async (manager: string, ...list: object[]) =>
        (await ground.as(manager).applyStatus({ ...mock, status: { conditions: list } }))["status"];
      await conditions("apirator", condition("Ready"), condition("Available"));
      await conditions("kubectl", condition("Other"));
      const status = await conditions("apirator", condition("Ready", "False"));
      expect(status).toMatchObject({
        conditions: [
          { type: "Ready", status: "False" },
          { type: "Other", status: "True" },
        ],
      });
    });

    test("an atomic list is replaced whole", async () => {
      const mock = mockOf(ground, ground.name());
      await ground.cluster.apply(mock);
      const finding = (code: string) => ({
        severity: "error", code, message: "", line: 1, column: 1, pointer: "",
      }); // oxfmt-ignore
      await ground.as("kubectl").applyStatus({ ...mock, status: { findings: [finding("a")] } });
      const status = { findings: [finding("b")] };
      expect((await ground.cluster.applyStatus({ ...mock, status }))["status"]).toEqual(status);
    });

    test("a status with an old resourceVersion is a conflict", async () => {
      const mock = mockOf(ground, ground.name());
      const { resourceVersion = "" } = (await ground.cluster.apply(mock)).metadata;
      await ground.cluster.apply({ ...mock, spec: { definition: "b" } });
      const metadata = { ...mock.metadata, resourceVersion };
      const call = ground.cluster.applyStatus({ ...mock, metadata, status: { phase: "Running" } });
      expect(await failureOf(call)).toMatchObject({ status: 409, class: "again" });
    });

    test("the status of an absent object is 404, and nothing is left to do", async () => {
      const mock = mockOf(ground, ground.name(), { status: { phase: "Running" } });
      expect(await failureOf(ground.cluster.applyStatus(mock))).toMatchObject({
        status: 404,
        class: "terminating",
      });
      expect(await ground.cluster.get(kinds.apimock, keyOf(mock))).toBeUndefined();
    });

    test("a status that breaks the schema is refused", async () => {
      const mock = mockOf(ground, ground.name());
      await ground.cluster.apply(mock);
      const call = ground.cluster.applyStatus({ ...mock, status: { phase: "Sleeping" } });
      const error = await failureOf(call);
      expect(error).toMatchObject({ status: 422, class: "invalid" });
      expect(error.detail).toContain('status.phase: Unsupported value: "Sleeping"');
    });

    test("a ConfigMap has no status", async () => {
      const map = configMapOf(ground, ground.name());
      await ground.cluster.apply(map);
      const call = ground.cluster.applyStatus({ ...map, status: {} });
      expect(await failureOf(call)).toMatchObject({ status: 404 });
    });
  });

  describe("events", () => {
    test("the same mock, reason and note is one Event with a count", async () => {
      const about = await ground.cluster.apply(mockOf(ground, ground.name("noted")));
      const note = { about, type: "Normal", reason: "Serving", note: "as it should" } as const;
      await ground.cluster.recordEvent(note);
      await ground.cluster.recordEvent(note);
      await ground.cluster.recordEvent({ ...note, type: "Warning", note: "otherwise" });
      const { items } = await ground.cluster.list(kinds.event, { namespace: ground.namespace });
      const own = items
        .filter((item) => item.metadata.name.startsWith(about.metadata.name))
        .map(({ type, reason, message, count }) => ({ type, reason, message, count }));
      expect(own).toHaveLength(2);
      expect(own).toEqual(
        expect.arrayContaining([
          { type: "Normal", reason: "Serving", message: "as it should", count: 2 },
          { type: "Warning", reason: "Serving", message: "otherwise", count: 1 },
        ]),
      );
    });
  });
}
