import { describe, expect, test } from "vitest";
import type { ListOptions } from "../../lib/cluster/cluster.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import type { Ground } from "./cluster-contract-world.ts";
import { configMapOf, failureOf, keyOf, mockOf } from "./cluster-contract-world.ts";

/** Lists: order, pages, selectors, metadata alone, and Table rows. */
export function listContract(ground: Ground): void {
  /** Makes a ConfigMap for each set of labels, all marked as one test's own; answers its marker as a selector. */
  const labelled = async (...labels: Readonly<Record<string, string>>[]): Promise<string> => {
    const set = ground.name("set");
    for (const more of labels) {
      const metadata = { labels: { set, ...more } };
      await ground.cluster.apply(configMapOf(ground, ground.name("listed"), { metadata }));
    }
    return `set=${set}`;
  };
  const valuesOf = async (options: ListOptions): Promise<string[]> => {
    const page = await ground.cluster.list(kinds.configMap, options);
    return page.items
      .map((item) => item.metadata.labels?.["v"] ?? "")
      .toSorted((a, b) => a.localeCompare(b));
  };

  describe("list", () => {
    test("items are whole objects in the order of their names", async () => {
      const set = ground.name("set");
      const made = [];
      for (const prefix of ["b", "a-b", "a"]) {
        const metadata = { labels: { set } };
        made.push(await ground.cluster.apply(mockOf(ground, `${prefix}-${set}`, { metadata })));
      }
      const { namespace } = ground;
      const options = { namespace, labelSelector: `set=${set}` };
      const page = await ground.cluster.list(kinds.apimock, options);
      expect(page.next).toBeUndefined();
      expect(page.items).toEqual(
        made.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1)),
      );
    });

    test("a list of a namespace holds what is in it", async () => {
      const labelSelector = await labelled({ v: "1" });
      const { namespace } = ground;
      expect(await valuesOf({ namespace, labelSelector })).toEqual(["1"]);
      expect(await valuesOf({ namespace: "kube-public", labelSelector })).toEqual([]);
    });

    test("pages together hold each item once, each page at most as many as asked for", async () => {
      const labelSelector = await labelled(...["1", "2", "3", "4", "5"].map((v) => ({ v })));
      const options = { namespace: ground.namespace, labelSelector, limit: 2 };
      const sizes: number[] = [];
      const names: string[] = [];
      let next: string | undefined;
      do {
        const more = next === undefined ? {} : { continue: next };
        const page = await ground.cluster.listMetadata(kinds.configMap, { ...options, ...more });
        sizes.push(page.items.length);
        names.push(...page.items.map((item) => item.name));
        next = page.next;
      } while (next !== undefined);
      expect(new Set(names).size).toBe(5);
      expect(names).toHaveLength(5);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(2);
    });

    test.for<[selector: string, values: string[]]>([
      ["v=1", ["1"]],
      ["v==1", ["1"]],
      ["v!=1", ["2", "3"]],
      ["v in (1,2)", ["1", "2"]],
      ["v in (1, 2), v != 2", ["1"]],
      ["v notin (1, 2)", ["3"]],
      ["odd", ["1", "3"]],
      ["!odd", ["2"]],
      ["odd notin (yes)", ["2", "3"]],
      ["odd,v=3", ["3"]],
      ["v=4", []],
    ])("the label selector %s selects %j", async ([selector, values]) => {
      const own = await labelled({ v: "1", odd: "yes" }, { v: "2" }, { v: "3", odd: "no" });
      const { namespace } = ground;
      expect(await valuesOf({ namespace, labelSelector: `${own},${selector}` })).toEqual(values);
    });

    test("a field selector finds an object by its name", async () => {
      const map = await ground.cluster.apply(configMapOf(ground, ground.name()));
      const { namespace, name } = map.metadata;
      const fieldSelector = `metadata.name=${name},metadata.namespace=${namespace}`;
      const page = await ground.cluster.list(kinds.configMap, { namespace, fieldSelector });
      expect(page.items.map(keyOf)).toEqual([{ namespace, name }]);
    });

    test("mocks are found by the ConfigMap that holds their definition", async () => {
      const name = ground.name("shared");
      const spec = { definitionFrom: { configMapKeyRef: { name, key: "openapi.yaml" } } };
      const mock = await ground.cluster.apply(mockOf(ground, ground.name(), { spec }));
      await ground.cluster.apply(mockOf(ground, ground.name()));
      const { namespace } = ground;
      const fieldSelector = `spec.definitionFrom.configMapKeyRef.name=${name}`;
      const page = await ground.cluster.listMetadata(kinds.apimock, { namespace, fieldSelector });
      expect(page.items.map((item) => item.uid)).toEqual([mock.metadata.uid]);
    });

    test.for<ListOptions>([
      { labelSelector: "a in (" },
      { fieldSelector: "spec.nothing=1" },
      { continue: "nonsense" },
    ])("a list that cannot be understood is refused: %j", async (options) => {
      const { namespace } = ground;
      const call = ground.cluster.list(kinds.apimock, { namespace, limit: 1, ...options });
      expect(await failureOf(call)).toMatchObject({ status: 400, class: "invalid" });
    });

    test("a list of metadata is that of the objects", async () => {
      const map = await ground.cluster.apply(
        configMapOf(ground, ground.name(), { fields: { data: { a: "1" } } }),
      );
      const fieldSelector = `metadata.name=${map.metadata.name}`;
      const options = { namespace: ground.namespace, fieldSelector };
      const page = await ground.cluster.listMetadata(kinds.configMap, options);
      expect(page.items.map(({ uid, name }) => ({ uid, name }))).toEqual([
        { uid: map.metadata.uid, name: map.metadata.name },
      ]);
    });
  });

  describe("rows", () => {
    test("a mock's row has the columns of its CRD, also the wide ones", async () => {
      const mock = await ground.cluster.apply(mockOf(ground, ground.name()));
      const ready = { type: "Ready", status: "False", reason: "DefinitionRefused" };
      await ground.cluster.applyStatus({
        ...mock,
        metadata: { namespace: ground.namespace, name: mock.metadata.name },
        status: { phase: "Failed", observedGeneration: 1, build: "b", conditions: [ready] },
      });
      const { items } = await ground.cluster.listRows(kinds.apimock, {
        namespace: ground.namespace,
        fieldSelector: `metadata.name=${mock.metadata.name}`,
        include: "None",
      });
      expect(items).toHaveLength(1);
      expect(items[0]).not.toHaveProperty("metadata");
      expect(items[0]?.cells).toMatchObject({
        Name: mock.metadata.name,
        Ready: "False",
        Phase: "Failed",
        Reason: "DefinitionRefused",
        Namespace: ground.namespace,
        UID: mock.metadata.uid,
        Generation: 1,
        Observed: 1,
        Build: "b",
        URL: null,
        Operations: null,
      });
      expect(items[0]?.cells["Age"]).toMatch(/^\d+s$/);
    });

    test("rows carry metadata where it was asked for", async () => {
      const labels = { "example.com/a": "1" };
      const map = await ground.cluster.apply(
        configMapOf(ground, ground.name(), { metadata: { labels } }),
      );
      const { items } = await ground.cluster.listRows(kinds.configMap, {
        namespace: ground.namespace,
        fieldSelector: `metadata.name=${map.metadata.name}`,
        include: "Metadata",
      });
      expect(items.map((row) => row.metadata?.uid)).toEqual([map.metadata.uid]);
      expect(items[0]?.metadata?.labels).toEqual(labels);
    });

    test("rows come in pages like objects", async () => {
      const labelSelector = await labelled({ v: "1" }, { v: "2" }, { v: "3" });
      const options = { namespace: ground.namespace, labelSelector, include: "None" } as const;
      const first = await ground.cluster.listRows(kinds.configMap, { ...options, limit: 2 });
      expect(first.items).toHaveLength(2);
      const more = { limit: 2, continue: first.next ?? "" };
      const second = await ground.cluster.listRows(kinds.configMap, { ...options, ...more });
      expect(second.items).toHaveLength(1);
      expect(second.next).toBeUndefined();
    });
  });
}
