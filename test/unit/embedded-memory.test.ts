import { expect, test } from "vitest";
import { kinds } from "../../lib/cluster/kinds.ts";
import { createMemoryCluster } from "../../lib/embedded/memory.ts";
import { apimockCrd } from "../support/crd.ts";

test("a mock that is deleted takes what it owns along", async () => {
  let n = 0;
  const c = createMemoryCluster({
    crds: [apimockCrd()],
    now: () => new Date("2026-01-01T00:00:00Z"),
    uid: () => `uid-${++n}`,
  });
  const seen: string[] = [];
  c.watch((e) =>
    seen.push(
      `${e.type} ${e.object.kind} ${e.object.metadata.name} ${e.object.metadata.resourceVersion}`,
    ),
  );
  const k = c.as("kubectl");
  const bets = {
    apiVersion: "apirator.io/v1alpha1",
    kind: "APIMock",
    metadata: { namespace: "default", name: "bets", labels: { a: "b" } },
    spec: { definition: "x" },
  };
  const o = await k.apply(bets);
  expect(await k.apply(bets)).toBe(o);
  await expect(k.apply({ ...bets, spec: {} })).rejects.toThrow("set spec.definition");
  await expect(
    k.apply({ ...bets, spec: { definition: "x", service: { port: 70000 } } }),
  ).rejects.toThrow("less than or equal");
  await k.apply({
    apiVersion: "serving.knative.dev/v1",
    kind: "Service",
    metadata: {
      namespace: "default",
      name: "bets",
      ownerReferences: [
        {
          apiVersion: bets.apiVersion,
          kind: bets.kind,
          name: "bets",
          uid: o.metadata.uid!,
          controller: true,
        },
      ],
    },
    spec: { template: { spec: { containers: [{ image: "x" }] } } },
  });
  await k.remove(kinds.apimock, { namespace: "default", name: "bets" }, {});
  await new Promise((r) => setTimeout(r, 1));
  expect(c.objects()).toEqual([]);
});
