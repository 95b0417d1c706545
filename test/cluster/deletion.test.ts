import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "./run.ts";
import { apply, kubectl, list, remove } from "./support/kube.ts";
import { definition, mockOf, ownNamespace, ready, serves } from "./support/mocks.ts";
import { install, installedImage, uninstall } from "./support/operator.ts";
import { functionsAsleep } from "./support/skaffold.ts";
import { sourceAwake, sourceDeployment, whileStopped } from "./support/source.ts";

const namespace = ownNamespace("deletion");
/** A namespace that goes as a whole while the operator runs, and one that goes when it is uninstalled. */
const doomed = ownNamespace("doomed");
const orphaned = ownNamespace("orphaned");
const names = ["at-once", "asleep", "uninstalled", "kept"];
/** Everything that a mock brings about, Knative's own objects included. */
const kinds =
  "ksvc,configuration,revision,route,configmap,deployment,replicaset,pod,service,kingress,podautoscaler,serverlessservice";
let image = "";

beforeAll(async () => {
  image = await installedImage();
  for (const each of [namespace, doomed, orphaned]) await sourceAwake(each);
  await apply([
    ...names.map((name) => mockOf(namespace, name, { definition: definition("1") })),
    mockOf(doomed, "pets", { definition: definition("1") }),
    mockOf(orphaned, "pets", { definition: definition("1") }),
  ]);
  for (const name of names) await ready(namespace, name);
  await ready(doomed, "pets");
  await ready(orphaned, "pets");
});

// Fine where all is installed.
afterAll(async () => await install(image));

/** Answers the names of all objects that carry the mock's label, or Knative's own for its KService. */
async function children(where: string, name: string): Promise<string> {
  const found = ["apirator.io/mock", "serving.knative.dev/service"].map(
    async (label) =>
      await kubectl(["get", kinds, "-n", where, "--selector", `${label}=${name}`, "-o", "name"]),
  );
  return (await Promise.all(found)).join("");
}

async function nothingLeft(where: string, name: string): Promise<void> {
  await eventually(`no child of ${where}/${name}`, 120, async () => {
    const left = await children(where, name);
    if (left === "") return true;
    throw new Error(left.replaceAll("\n", " "));
  });
}

/** Deletes a mock that has children, and waits until none of its children is left. */
async function deleteMock(name: string): Promise<void> {
  expect(await children(namespace, name)).toContain(`configmap/${name}-`);
  expect(await children(namespace, name)).toContain(`service.serving.knative.dev/${name}`);
  await remove("apimock", namespace, name);
  await nothingLeft(namespace, name);
}

async function deleteNamespace(name: string): Promise<void> {
  await kubectl(["delete", "namespace", name, "--timeout=150s"]);
}

async function namespaces(): Promise<string[]> {
  return (await list("namespace", "")).map(({ metadata }) => metadata.name);
}

test("a mock that is deleted takes every child with it", async () => {
  await expect(deleteMock("at-once")).resolves.toBeUndefined();
});

test("a mock that is deleted while nothing of the operator runs takes every child with it", async () => {
  await functionsAsleep();
  await whileStopped("apirator-system", [await sourceDeployment()], async () => {
    await expect(deleteMock("asleep")).resolves.toBeUndefined();
  });
});

test("a namespace with mocks is deleted without a hitch", async () => {
  await deleteNamespace(doomed);
  expect(await namespaces()).not.toContain(doomed);
});

test("an operator that is uninstalled leaves running mocks answering, and blocks no deletion", async () => {
  await uninstall();
  expect(await namespaces()).not.toContain("apirator-system");
  await serves(`http://kept.${namespace}.svc.cluster.local`, "1", 60);
  await deleteMock("uninstalled");
  await deleteNamespace(orphaned);
  expect(await namespaces()).not.toContain(orphaned);
  await serves(`http://kept.${namespace}.svc.cluster.local`, "1", 60);
});

test("a full removal in the documented order leaves no child and no namespace that cannot go", async () => {
  await kubectl(["delete", "apimocks", "--all", "--all-namespaces", "--timeout=120s"]);
  await kubectl(["delete", "-k", "knative/crd", "--timeout=120s"]);
  await nothingLeft(namespace, "kept");
  expect(await list("ksvc", namespace)).toEqual([]);
  await deleteNamespace(namespace);
  expect(await namespaces()).not.toContain(namespace);
  await apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
});
