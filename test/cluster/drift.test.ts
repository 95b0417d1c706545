import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apply, get, kubectl, list, remove, type Seen, until } from "./support/kube.ts";
import { condition, definition, mockOf, ownNamespace, ready, serves } from "./support/mocks.ts";
import { resyncNow } from "./support/operator.ts";
import {
  sourceAwake,
  sourceDeployment,
  startDeployments,
  stopDeployments,
} from "./support/source.ts";

const namespace = ownNamespace("drift");
const url = `http://pets.${namespace}.svc.cluster.local`;
const system = "apirator-system";
const mine = "apirator.io/mock=pets";

beforeAll(async () => {
  await sourceAwake(namespace);
  await apply(mockOf(namespace, "pets", { definition: definition("1") }));
  await ready(namespace, "pets");
  await serves(url, "1", 60);
});

async function configMap(): Promise<Seen | undefined> {
  const all = await list("configmap", namespace);
  return all.find(({ metadata }) => metadata.name.startsWith("pets-"));
}

async function kservice(): Promise<Seen | undefined> {
  return await get("ksvc", namespace, "pets");
}

async function patch(object: string, value: object): Promise<void> {
  await kubectl([
    "patch",
    object,
    "--namespace",
    namespace,
    "--type=merge",
    "--patch",
    JSON.stringify(value),
  ]);
}

/** Something done by hand to a child: what it was before is what it must be again. */
interface Drift {
  readonly what: string;
  readonly observe: () => Promise<Seen | undefined>;
  readonly disturb: (name: string) => Promise<void>;
}

const drifts: Drift[] = [
  {
    what: "a ConfigMap that is deleted",
    observe: configMap,
    disturb: async (name) => await remove("configmap", namespace, name),
  },
  {
    what: "a ConfigMap whose labels are taken away",
    observe: configMap,
    disturb: async (name) => await patch(`configmap/${name}`, { metadata: { labels: null } }),
  },
  {
    what: "a KService that is deleted",
    observe: kservice,
    disturb: async (name) => await remove("ksvc", namespace, name),
  },
  {
    what: "a KService whose label is changed",
    observe: kservice,
    disturb: async (name) =>
      await patch(`ksvc/${name}`, {
        metadata: { labels: { "app.kubernetes.io/managed-by": "somebody" } },
      }),
  },
  {
    what: "a KService whose template is edited",
    observe: kservice,
    disturb: async (name) =>
      await patch(`ksvc/${name}`, { spec: { template: { spec: { timeoutSeconds: 7 } } } }),
  },
  {
    what: "a KService whose traffic is pinned",
    observe: kservice,
    disturb: async (name) => {
      const seen = await kservice();
      const revisionName = seen?.status?.latestReadyRevisionName;
      await patch(`ksvc/${name}`, {
        spec: { traffic: [{ revisionName, latestRevision: false, percent: 100 }] },
      });
    },
  },
];

/** What of a child a reconcile is answerable for. */
function essence(object: Seen | undefined): unknown {
  return {
    labels: object?.metadata.labels,
    owner: object?.metadata.ownerReferences?.map(({ uid }) => uid),
    spec: object?.spec,
    data: object?.binaryData,
  };
}

/** Disturbs a child, lets `repair` happen, and answers how many seconds passed until the child was what it had been. */
async function putRight({ what, observe, disturb }: Drift, repair: () => Promise<void>) {
  const before = await observe();
  if (before === undefined) throw new Error(`${what}: it is not there yet`);
  const start = performance.now();
  await disturb(before.metadata.name);
  await repair();
  await until(`${what} is put right`, 60, observe, (after) => {
    const { uid, resourceVersion, deletionTimestamp } = after.metadata;
    const touched =
      uid !== before.metadata.uid || resourceVersion !== before.metadata.resourceVersion;
    return (
      touched &&
      deletionTimestamp === undefined &&
      JSON.stringify(essence(after)) === JSON.stringify(essence(before))
    );
  });
  return (performance.now() - start) / 1000;
}

test.for(drifts)("$what is put right by its event within 10 seconds", async (drift) => {
  const seconds = await putRight(drift, async () => {});
  expect(seconds).toBeLessThan(10);
  await ready(namespace, "pets");
  await serves(url, "1", 60);
});

describe("with the source stopped", () => {
  let source = "";
  beforeAll(async () => {
    source = await sourceDeployment();
    await stopDeployments(system, [source]);
  });
  afterAll(async () => await startDeployments(system, [source]));

  test.for(drifts)("$what is put right by the resync", async (drift) => {
    await expect(putRight(drift, resyncNow)).resolves.toBeGreaterThan(0);
    await until(
      "the KService Ready",
      60,
      kservice,
      (object) =>
        condition(object, "Ready")?.status === "True" &&
        object.status?.observedGeneration === object.metadata.generation,
    );
    // Nothing tells the mock that its workload is Ready: the next resync finds it.
    await resyncNow();
    await ready(namespace, "pets");
    await serves(url, "1", 60);
  });
});

test("what is put right is told as an Event of the mock", async () => {
  const messages = await kubectl([
    "get",
    "events",
    "--namespace",
    namespace,
    "--field-selector",
    "involvedObject.name=pets,involvedObject.kind=APIMock",
    "--output",
    'jsonpath={range .items[*]}{.reason}{"\\n"}{end}',
  ]);
  expect(messages).toContain("DriftCorrected");
  expect(await list("configmap", namespace, mine)).toHaveLength(1);
});
