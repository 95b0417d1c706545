import { expect, test } from "vitest";
import type { APIMock } from "../../lib/apimock.ts";
import type { JsonPatch, KubeObject } from "../../lib/cluster/cluster.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import { definitionText, mockOf } from "../support/builders.ts";
import { writesOf } from "../support/counting.ts";
import { createStage, type Stage } from "../support/stage.ts";

const key = { namespace: "default", name: "bets" };

async function serving(spec: Parameters<typeof mockOf>[1] = {}): Promise<Stage> {
  const stage = createStage();
  await stage.user.apply(mockOf("bets", spec));
  await stage.settle("bets");
  return stage;
}

/** What must come back: all but what the server counts. */
function shapeOf(object: KubeObject | undefined): unknown {
  const { metadata, spec } = object as KubeObject;
  const { name, labels, annotations, ownerReferences } = metadata;
  return { name, labels, annotations, ownerReferences, spec };
}

const configMapOf = async (stage: Stage): Promise<string> =>
  `bets-${((await stage.mock("bets")) as APIMock).status?.definition?.hash}`;

const container = "/spec/template/spec/containers/0";

test.for<{ what: string; patch: JsonPatch[] }>([
  { what: "image", patch: [{ op: "replace", path: `${container}/image`, value: "evil" }] },
  { what: "argument", patch: [{ op: "replace", path: `${container}/args`, value: ["other"] }] },
  {
    what: "additional environment variable",
    patch: [{ op: "add", path: `${container}/env/-`, value: { name: "X", value: "1" } }],
  },
  { what: "limit", patch: [{ op: "remove", path: `${container}/resources/limits` }] },
  {
    what: "concurrency",
    patch: [{ op: "replace", path: "/spec/template/spec/containerConcurrency", value: 1 }],
  },
  {
    what: "scale",
    patch: [
      {
        op: "replace",
        path: "/spec/template/metadata/annotations/autoscaling.knative.dev~1min-scale",
        value: "5",
      },
    ],
  },
  {
    what: "pinned traffic",
    patch: [
      {
        op: "replace",
        path: "/spec/traffic",
        value: [{ revisionName: "bets-00001", percent: 100 }],
      },
    ],
  },
  {
    what: "mounted ConfigMap",
    patch: [
      {
        op: "replace",
        path: "/spec/template/spec/volumes/0/configMap/name",
        value: "bets-0000000000",
      },
    ],
  },
  {
    what: "label",
    patch: [{ op: "remove", path: "/metadata/labels/networking.knative.dev~1visibility" }],
  },
  { what: "owner", patch: [{ op: "remove", path: "/metadata/ownerReferences" }] },
])("a KService's $what that was changed by hand is put right", async ({ patch }) => {
  const stage = await serving();
  const before = shapeOf(await stage.get(kinds.kservice, "bets"));
  const status = (await stage.mock("bets"))?.status;
  await stage.user.patch(kinds.kservice, key, patch);
  stage.calls.length = 0;
  await stage.settle("bets");
  expect(shapeOf(await stage.get(kinds.kservice, "bets"))).toEqual(before);
  expect(writesOf(stage.calls)).toContain("recordEvent DriftCorrected");
  const after = (await stage.mock("bets"))?.status;
  expect({ ...after, applied: "" }).toEqual({ ...status, applied: "" });
});

test("drift while a definition is held does not become what is held", async () => {
  const stage = await serving();
  await stage.user.apply(mockOf("bets", { definition: definitionText("two") }));
  await stage.settle("bets");
  await stage.user.apply(mockOf("bets", { definition: definitionText("three"), watch: false }));
  await stage.settle("bets");
  await stage.user.patch(kinds.kservice, key, [
    { op: "replace", path: "/spec/traffic", value: [{ revisionName: "bets-00001", percent: 100 }] },
  ]);
  await stage.settle("bets");
  expect((await stage.mock("bets"))?.status).toMatchObject({ definition: { title: "API of two" } });
});

test("what others add beside is left alone", async () => {
  const stage = await serving();
  await stage.user.patch(kinds.kservice, key, [
    { op: "add", path: "/metadata/annotations/example.com~1team", value: "pets" },
    { op: "add", path: "/metadata/labels/team", value: "pets" },
  ]);
  stage.calls.length = 0;
  await stage.settle("bets");
  expect(writesOf(stage.calls)).toEqual([]);
});

test("a field that is desired no more goes", async () => {
  const stage = await serving({ service: { annotations: { "example.com/a": "1" } } });
  await stage.user.apply(mockOf("bets", { service: { type: "LoadBalancer" } }));
  await stage.settle("bets");
  const { labels, annotations } = (await stage.get(kinds.kservice, "bets"))?.metadata ?? {};
  expect(annotations).not.toHaveProperty(["example.com/a"]);
  expect(labels).not.toHaveProperty(["networking.knative.dev/visibility"]);
});

test("a KService that was removed is made again", async () => {
  const stage = await serving();
  await stage.user.remove(kinds.kservice, key, {});
  await stage.settle("bets");
  expect((await stage.mock("bets"))?.status?.phase).toBe("Running");
  expect(stage.calls).toContain("recordEvent DriftCorrected");
});

test("a ConfigMap that was removed is made again", async () => {
  const stage = await serving();
  const name = await configMapOf(stage);
  await stage.user.remove(kinds.configMap, { ...key, name }, {});
  await stage.settle("bets");
  expect(await stage.get(kinds.configMap, name)).toBeDefined();
  expect((await stage.mock("bets"))?.status?.phase).toBe("Running");
  expect(stage.calls).toContain("recordEvent DriftCorrected");
});

test.for<{ what: string; patch: JsonPatch[] }>([
  { what: "mock label", patch: [{ op: "remove", path: "/metadata/labels/apirator.io~1mock" }] },
  { what: "labels", patch: [{ op: "remove", path: "/metadata/labels" }] },
  {
    what: "source annotation",
    patch: [{ op: "remove", path: "/metadata/annotations/apirator.io~1source" }],
  },
])("a ConfigMap's $what that was taken away comes back", async ({ patch }) => {
  const stage = await serving();
  const name = await configMapOf(stage);
  const before = (await stage.get(kinds.configMap, name))?.metadata;
  await stage.user.patch(kinds.configMap, { ...key, name }, patch);
  await stage.settle("bets");
  const after = (await stage.get(kinds.configMap, name))?.metadata;
  expect(after).toEqual({ ...before, resourceVersion: after?.resourceVersion });
});

test("a held definition's ConfigMap that lost its label is not lost", async () => {
  const stage = await serving();
  const name = await configMapOf(stage);
  await stage.user.apply(mockOf("bets", { definition: definitionText("two"), watch: false }));
  await stage.settle("bets");
  await stage.user.patch(kinds.configMap, { ...key, name }, [
    { op: "remove", path: "/metadata/labels/apirator.io~1mock" },
  ]);
  await stage.settle("bets");
  expect((await stage.mock("bets"))?.status).toMatchObject({
    phase: "Running",
    definition: { title: "API of one" },
  });
  expect((await stage.get(kinds.configMap, name))?.metadata.labels).toMatchObject({
    "apirator.io/mock": "bets",
  });
});

test("a cluster whose webhook changes what is applied is not written to again and again", async () => {
  const stage: Stage = createStage({
    around: (cluster) => ({
      ...cluster,
      apply: async (object) => {
        const stored = await cluster.apply(object);
        if (object.kind !== "Service") return stored;
        return await stage.memory
          .as("policy")
          .patch(kinds.kservice, key, [
            { op: "replace", path: `${container}/resources/requests/cpu`, value: "500m" },
          ]);
      },
    }),
  });
  await stage.user.apply(mockOf("bets"));
  await stage.settle("bets");
  stage.calls.length = 0;
  await stage.reconcile("bets");
  expect(writesOf(stage.calls)).toEqual([]);
});

test("what a webhook makes of every write is never told as drift that was put right", async () => {
  const stage: Stage = createStage({
    around: (cluster) => ({
      ...cluster,
      apply: async (object) => {
        if (object.kind !== "Service") return await cluster.apply(object);
        const { metadata } = object;
        const labels = { ...metadata.labels, "app.kubernetes.io/component": "policy" };
        return await cluster.apply({ ...object, metadata: { ...metadata, labels } });
      },
    }),
  });
  await stage.user.apply(mockOf("bets"));
  for (let run = 0; run < 3; run += 1) await stage.reconcile("bets");
  const { resourceVersion } = (await stage.get(kinds.kservice, "bets"))?.metadata ?? {};
  stage.calls.length = 0;
  await stage.reconcile("bets");
  expect(stage.ended("bets")).toEqual({ kind: "done", wrote: [] });
  expect(stage.calls).not.toContain("recordEvent DriftCorrected");
  expect((await stage.get(kinds.kservice, "bets"))?.metadata).toMatchObject({ resourceVersion });
});

test("a status that was taken away is rebuilt", async () => {
  const stage = await serving();
  const before = (await stage.mock("bets"))?.status;
  await stage.user.applyStatus({
    ...mockOf("bets"),
    status: { phase: "Failed", observedGeneration: 7, source: "x", applied: "y", build: "z" },
  });
  await stage.settle("bets");
  expect((await stage.mock("bets"))?.status).toEqual(before);
});
