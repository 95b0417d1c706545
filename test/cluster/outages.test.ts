import { beforeAll, expect, test } from "vitest";
import { startApiServer } from "./control-plane.ts";
import { stopDaemon } from "./daemons.ts";
import { apply, kubectl, list } from "./support/kube.ts";
import { definition, mockOf, ownNamespace, ready, servedVersion, serves } from "./support/mocks.ts";
import { install, installedImage, resyncNow } from "./support/operator.ts";
import { sourceAwake, sourceDeployment, whileStopped } from "./support/source.ts";

const namespace = ownNamespace("outages");
const url = `http://pets.${namespace}.svc.cluster.local`;
const system = "apirator-system";

beforeAll(async () => {
  await sourceAwake(namespace);
  await edit("1");
  await madeGood("1");
});

async function edit(version: string): Promise<void> {
  await apply(mockOf(namespace, "pets", { definition: definition(version) }));
}

async function madeGood(version: string, seconds = 120): Promise<void> {
  await ready(namespace, "pets", seconds);
  await serves(url, version, seconds);
}

/** Does the work while requests keep the mock awake: at zero it could not answer without an API server. */
async function whileAsked(work: () => Promise<void>): Promise<void> {
  await servedVersion(url);
  const timer = setInterval(() => void servedVersion(url).catch(() => {}), 500);
  await work().finally(() => clearInterval(timer));
}

test("an edit made while the source was down is made good by the next resync", async () => {
  await whileStopped(system, [await sourceDeployment()], async () => {
    await edit("2");
    expect(await servedVersion(url)).toBe("1");
  });
  await resyncNow();
  await madeGood("2");
});

test.for([
  ["mt-broker-ingress", "3"],
  ["mt-broker-filter", "4"],
  ["imc-dispatcher", "5"],
] as const)(
  "an edit made while the broker's %s was down is made good, and the mock answers meanwhile",
  async ([deployment, version]) => {
    await whileStopped("knative-eventing", [deployment], async () => {
      await edit(version);
      expect(await servedVersion(url)).toMatch(/^\d$/);
    });
    await resyncNow();
    await madeGood(version);
  },
);

test("an edit made while the functions were gone is made good once they are there again, and the mock answers meanwhile", async () => {
  const image = await installedImage();
  try {
    await kubectl(["delete", "ksvc", "--all", "--namespace", system, "--timeout=120s"]);
    await edit("6");
    expect(await list("ksvc", system)).toEqual([]);
    expect(await servedVersion(url)).toBe("5");
  } finally {
    await install(image);
  }
  await resyncNow();
  await madeGood("6");
});

test("an edit just before the API server went down is made good, and the mock answers meanwhile", async () => {
  try {
    await whileAsked(async () => {
      await edit("7");
      await stopDaemon("kube-apiserver");
    });
    await expect(kubectl(["get", "--raw", "/readyz"])).rejects.toThrow(/refused/);
    expect(await servedVersion(url)).toMatch(/^[67]$/);
  } finally {
    await startApiServer();
  }
  // Scheduler, kubelet, proxy and Knative watch again after waits that grow up to a minute each, one after the other; what they miss of ours, the tick sees.
  await resyncNow(300);
  await madeGood("7", 360);
}, 1_200_000);
