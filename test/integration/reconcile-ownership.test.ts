import { expect, test } from "vitest";
import type { APIMock } from "../../lib/apimock.ts";
import type { KubeObject } from "../../lib/cluster/cluster.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import { childLabels } from "../../lib/names.ts";
import { definitionText, mockOf } from "../support/builders.ts";
import { writesOf } from "../support/counting.ts";
import { createStage, type Stage } from "../support/stage.ts";

function kservice(metadata: Partial<KubeObject["metadata"]>): KubeObject {
  return {
    apiVersion: "serving.knative.dev/v1",
    kind: "Service",
    metadata: { name: "bets", namespace: "default", ...metadata },
    spec: { template: { spec: { containers: [{ image: "theirs" }] } } },
  };
}

const owner = (over: object): object => ({
  apiVersion: "apirator.io/v1alpha1",
  kind: "APIMock",
  name: "bets",
  uid: "gone",
  controller: true,
  ...over,
});

async function condition(stage: Stage, type: string): Promise<string> {
  const { status } = (await stage.mock("bets")) as APIMock;
  const found = status?.conditions?.find((each) => each.type === type);
  return `${found?.status}/${found?.reason}`;
}

test.for([
  { of: "has no owner and no labels", metadata: {} },
  {
    of: "belongs to another controller",
    metadata: {
      labels: childLabels("bets", "mock"),
      ownerReferences: [owner({ kind: "Other", apiVersion: "example.com/v1" })],
    },
  },
  {
    of: "belongs to a mock of another name",
    metadata: { labels: childLabels("bets", "mock"), ownerReferences: [owner({ name: "other" })] },
  },
])("a KService that $of is never touched: NameTaken", async ({ metadata }) => {
  const stage = createStage({ serving: false });
  // The memory cluster's collector would remove an object whose owner is gone.
  const theirs = kservice(metadata as Partial<KubeObject["metadata"]>);
  const before = await createOwned(stage, theirs);
  await stage.user.apply(mockOf("bets"));
  await stage.settle("bets");
  expect(await condition(stage, "Available")).toBe("False/NameTaken");
  expect(await condition(stage, "Ready")).toBe("False/NameTaken");
  expect(await stage.get(kinds.kservice, "bets")).toEqual(before);
});

/** Applies the object; owners that it names are made first, so that they exist. */
async function createOwned(stage: Stage, object: KubeObject): Promise<KubeObject | undefined> {
  const [reference] = object.metadata.ownerReferences ?? [];
  if (reference?.kind !== "APIMock") {
    const { ownerReferences: _, ...metadata } = object.metadata;
    const other = { ...reference, apiVersion: "v1", kind: "ConfigMap", name: "controller" };
    const made =
      reference &&
      (await stage.user.apply({
        ...other,
        metadata: { name: "controller", namespace: "default" },
      }));
    const owners = made && [{ ...other, uid: made.metadata.uid ?? "" }];
    await stage.user.apply({
      ...object,
      metadata: owners ? { ...metadata, ownerReferences: owners } : metadata,
    });
  } else {
    const made = await stage.user.apply(mockOf(reference.name));
    const owners = [{ ...reference, uid: made.metadata.uid ?? "" }];
    await stage.user.apply({
      ...object,
      metadata: { ...object.metadata, ownerReferences: owners },
    });
  }
  return await stage.get(kinds.kservice, "bets");
}

test("a name that becomes free is taken by the next run", async () => {
  const stage = createStage();
  await stage.user.apply(kservice({}));
  await stage.user.apply(mockOf("bets"));
  await stage.settle("bets");
  await stage.user.remove(kinds.kservice, { namespace: "default", name: "bets" }, {});
  await stage.settle("bets");
  expect(await condition(stage, "Ready")).toBe("True/Serving");
});

test("a ConfigMap of somebody else keeps its name, and what served goes on serving", async () => {
  const stage = createStage();
  await stage.user.apply(mockOf("bets"));
  await stage.settle("bets");
  const elsewhere = createStage();
  await elsewhere.user.apply(mockOf("bets", { definition: definitionText("two") }));
  await elsewhere.settle("bets");
  const hash = (await elsewhere.mock("bets"))?.status?.definition?.hash;
  const theirs = await stage.user.apply({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `bets-${hash}`, namespace: "default" },
    data: { theirs: "yes" },
  });
  await stage.user.apply(mockOf("bets", { definition: definitionText("two") }));
  await stage.settle("bets");
  expect(await condition(stage, "Ready")).toBe("False/NameTaken");
  expect(await condition(stage, "Available")).toBe("True/Serving");
  expect(await stage.get(kinds.configMap, `bets-${hash}`)).toEqual(theirs);
});

test("an object that appears between reading and writing is not overwritten", async () => {
  let once = true;
  const stage: Stage = createStage({
    serving: false,
    around: (cluster) => ({
      ...cluster,
      apply: async (object) => {
        if (object.kind === "Service" && once) {
          once = false;
          await stage.user.apply(kservice({}));
        }
        return await cluster.apply(object);
      },
    }),
  });
  await stage.user.apply(mockOf("bets"));
  expect(await stage.reconcile("bets")).toBe(204);
  expect(await condition(stage, "Ready")).toBe("False/NameTaken");
  expect(await stage.get(kinds.kservice, "bets")).toMatchObject({
    spec: { template: { spec: { containers: [{ image: "theirs" }] } } },
  });
});

test("a mock that is re-created gets children of its own", async () => {
  const stage = createStage();
  const key = { namespace: "default", name: "bets" };
  await stage.user.apply(mockOf("bets"));
  await stage.settle("bets");
  const old = await stage.get(kinds.kservice, "bets");
  await stage.user.remove(kinds.apimock, key, {});
  await stage.user.apply(mockOf("bets", { definition: definitionText("two") }));
  await stage.settle("bets");
  const { metadata, status } = (await stage.mock("bets")) as APIMock;
  expect(status).toMatchObject({ phase: "Running", definition: { title: "API of two" } });
  const kservices = await stage.get(kinds.kservice, "bets");
  expect(kservices?.metadata.uid).not.toBe(old?.metadata.uid);
  expect(kservices?.metadata.ownerReferences?.[0]?.uid).toBe(metadata.uid);
});

test("a child of a mock of this name with another uid is removed, and the key comes again", async () => {
  const stage = createStage({ serving: false });
  const first = await stage.user.apply(mockOf("bets"));
  await stage.reconcile("bets");
  // As a restored backup has it: the child names an owner that never was here.
  const { status, ...stale } = (await stage.get(kinds.kservice, "bets")) as KubeObject;
  const around = (list: KubeObject | undefined): KubeObject | undefined =>
    list && {
      ...list,
      metadata: { ...list.metadata, ownerReferences: [owner({}) as never] },
    };
  expect([status, first.metadata.name]).toEqual([undefined, "bets"]);
  const again = createStage({
    on: stage,
    around: (cluster) => ({
      ...cluster,
      get: async (kind, key) => {
        const object = await cluster.get(kind, key);
        return kind === kinds.kservice ? around(object) : object;
      },
    }),
  });
  expect(await again.reconcile("bets")).toBe(503);
  expect(writesOf(again.calls)).toEqual(["remove Service bets"]);
  expect(stale.kind).toBe("Service");
  expect(await stage.reconcile("bets")).toBe(204);
  expect(await stage.get(kinds.kservice, "bets")).toBeDefined();
});

test("children with our labels and no owner are adopted", async () => {
  const stage = createStage();
  await stage.user.apply(mockOf("bets"));
  await stage.settle("bets");
  const { metadata, status } = (await stage.mock("bets")) as APIMock;
  const name = `bets-${status?.definition?.hash}`;
  const orphaned = [{ op: "remove", path: "/metadata/ownerReferences" }] as const;
  const at = { namespace: "default", name: "bets" };
  await stage.user.patch(kinds.kservice, at, orphaned);
  await stage.user.patch(kinds.configMap, { ...at, name }, orphaned);
  await stage.settle("bets");
  for (const [kind, child] of [
    [kinds.kservice, "bets"],
    [kinds.configMap, name],
  ] as const)
    expect((await stage.get(kind, child))?.metadata.ownerReferences).toMatchObject([
      { uid: metadata.uid, controller: true },
    ]);
  expect((await stage.mock("bets"))?.status?.phase).toBe("Running");
});
