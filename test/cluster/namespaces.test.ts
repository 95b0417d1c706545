import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "./run.ts";
import { apply, kubectl, list, pause } from "./support/kube.ts";
import { definition, mockOf, ownNamespace, ready, serves } from "./support/mocks.ts";
import { resyncNow } from "./support/operator.ts";
import { sourceAwake } from "./support/source.ts";

const namespace = ownNamespace("namespaces");
const added = `added-${randomBytes(3).toString("hex")}`;
const selector = "eventing.knative.dev/sourceName=apirator";
/** Milliseconds after the namespace was made: before, while and after Knative starts the source's pod again. */
const moments = [0, 500, 1000, 2000, 4000, 8000];

beforeAll(async () => await sourceAwake(namespace));
afterAll(async () => {
  await kubectl(["delete", "namespace", added, "--wait=false", "--ignore-not-found"]);
});

async function sourcePods(): Promise<string[]> {
  const pods = await list("pod", "apirator-system", selector);
  return pods.map(({ metadata }) => metadata.name);
}

test("mocks applied around the moment when a new namespace starts the source again are Ready at the latest after a resync", async () => {
  const before = await sourcePods();
  await apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: added } });
  const start = performance.now();
  for (const moment of moments) {
    await pause(Math.max(0, moment - (performance.now() - start)));
    await apply([
      mockOf(namespace, `after-${moment}`, { definition: definition("1") }),
      mockOf(added, `after-${moment}`, { definition: definition("1") }),
    ]);
  }
  // It is what this test is about: the source's pod is another one.
  await eventually("the source was started again", 60, async () => {
    const after = await sourcePods();
    return after.length > 0 && after.every((pod) => !before.includes(pod)) ? true : undefined;
  });
  await resyncNow();
  for (const where of [namespace, added])
    for (const moment of moments) await ready(where, `after-${moment}`);
  await serves(`http://after-0.${added}.svc.cluster.local`, "1", 60);
  expect(await list("apimock", added)).toHaveLength(moments.length);
});
