import { expect, test } from "vitest";
import { apply, get, kubectl, list, remove, type Seen, until } from "./support/kube.ts";
import {
  condition,
  definition,
  mockOf,
  ownNamespace,
  ready,
  servedVersion,
  serves,
} from "./support/mocks.ts";
import { resyncNow } from "./support/operator.ts";

const namespace = ownNamespace("rollouts");
const full = ownNamespace("rollouts-full");

function at(name: string, where = namespace): string {
  return `http://${name}.${where}.svc.cluster.local`;
}

/** Applies a mock that answers the version, and waits until it does. */
async function serving(name: string, version: string, where = namespace): Promise<Seen> {
  await apply(mockOf(where, name, { definition: definition(version), scale: { min: 1 } }));
  const mock = await ready(where, name, 120);
  await serves(at(name, where), version, 60);
  return mock;
}

/** Waits until the mock is as `check` wants it. */
async function mockUntil(
  what: string,
  name: string,
  check: (mock: Seen) => boolean,
  where = namespace,
): Promise<Seen> {
  return await until(what, 120, async () => await get("apimock", where, name), check);
}

/** A quota of the namespace `full`, named as what it bounds. */
function quota(resource: string, most: string): object {
  return {
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { namespace: full, name: resource },
    spec: { hard: { [resource]: most } },
  };
}

const configMapOf = (mock: Seen): string =>
  `${mock.metadata.name}-${mock.status?.definition?.hash ?? ""}`;

test("three roll-outs in a row that a quota stops leave the old answers, and the newest is served once there is room", async () => {
  const first = await serving("stuck", "1", full);
  // Room for the process that serves, and for none beside it.
  await apply(quota("pods", "1"));
  for (const version of ["2", "3", "4"]) {
    await apply(mockOf(full, "stuck", { definition: definition(version), scale: { min: 1 } }));
    const failed = await mockUntil(
      `the roll-out of ${version} failed`,
      "stuck",
      (mock) =>
        mock.status?.phase === "Error" &&
        mock.status.observedGeneration === mock.metadata.generation,
      full,
    );
    expect(condition(failed, "Available")).toMatchObject({ status: "True", reason: "Serving" });
    expect(condition(failed, "Validated")?.status).toBe("True");
    expect(condition(failed, "Ready")).toMatchObject({ status: "False", reason: "RolloutFailed" });
    expect(condition(failed, "Ready")?.message).toContain("exceeded quota: pods");
    expect(failed.status?.definition).toEqual(first.status?.definition);
    expect(await servedVersion(at("stuck", full))).toBe("1");
  }
  expect(await get("revision", full, "stuck-00001")).toBeDefined();
  expect(await get("configmap", full, configMapOf(first))).toBeDefined();
  await remove("resourcequota", full, "pods");
  await serves(at("stuck", full), "4", 120);
  const mock = await ready(full, "stuck", 60);
  expect(mock.status?.phase).toBe("Running");
  expect(mock.status?.definition?.hash).not.toBe(first.status?.definition?.hash);
});

test("the ConfigMap in service, deleted by hand, comes back with the same content", async () => {
  const mock = await serving("emptied", "1");
  const name = configMapOf(mock);
  const before = await get("configmap", namespace, name);
  await remove("configmap", namespace, name);
  const after = await until(
    "the ConfigMap back",
    90,
    async () => await get("configmap", namespace, name),
    (configMap) => configMap.metadata.uid !== before?.metadata.uid,
  );
  expect(Object.keys(after.binaryData ?? {})).toEqual(Object.keys(before?.binaryData ?? {}));
  expect(after.metadata.ownerReferences?.[0]?.uid).toBe(mock.metadata.uid);
  await ready(namespace, "emptied");
  await until(
    "the Event that tells of it",
    60,
    async () => (await list("events", namespace)).find((event) => tells(event, name)),
    () => true,
  );
  expect(await servedVersion(at("emptied"))).toBe("1");
});

/** Whether the Event is about the mock and names the object. */
function tells(event: Seen, name: string): boolean {
  const { involvedObject, message } = event as Seen & {
    involvedObject: { kind: string };
    message: string;
  };
  return involvedObject.kind === "APIMock" && message.includes(name);
}

test("a ConfigMap that cannot come back takes Available away until the definition is mended", async () => {
  const mock = await serving("lost", "1");
  await apply(mockOf(namespace, "lost", { definition: "no definition", scale: { min: 1 } }));
  await mockUntil("the edit refused", "lost", (seen) => seen.status?.phase === "Failed");
  await remove("configmap", namespace, configMapOf(mock));
  const lost = await mockUntil("the loss said", "lost", (seen) => seen.status?.phase === "Error");
  expect(condition(lost, "Available")).toMatchObject({ status: "False", reason: "DefinitionLost" });
  expect(condition(lost, "Available")?.message).toContain(configMapOf(mock));
  expect(condition(lost, "Ready")?.status).toBe("False");
  const mended = await serving("lost", "2");
  expect(mended.status?.phase).toBe("Running");
  expect(mended.status?.definition?.hash).not.toBe(mock.status?.definition?.hash);
});

test("a ConfigMap in service that a quota keeps from coming back is told of, and is back once there is room", async () => {
  const mock = await serving("crowded", "1", full);
  const name = configMapOf(mock);
  await apply(quota("configmaps", "1"));
  await remove("configmap", full, name);
  const lost = await mockUntil(
    "the loss said",
    "crowded",
    (seen) => condition(seen, "Available")?.status === "False",
    full,
  );
  expect(lost.status?.phase).toBe("Error");
  expect(condition(lost, "Available")?.message).toContain(name);
  expect(condition(lost, "Ready")).toMatchObject({ status: "False", reason: "Forbidden" });
  expect(condition(lost, "Ready")?.message).toContain("exceeded quota: configmaps");
  await remove("resourcequota", full, "configmaps");
  await resyncNow();
  const back = await ready(full, "crowded", 60);
  expect(configMapOf(back)).toBe(name);
  expect(await get("configmap", full, name)).toBeDefined();
  await serves(at("crowded", full), "1", 60);
});

test("a held definition whose ConfigMap is deleted by hand gives way to the one in the spec", async () => {
  const spec = { scale: { min: 1 }, watch: false };
  await apply(mockOf(namespace, "held", { definition: definition("1"), ...spec }));
  const mock = await ready(namespace, "held", 120);
  await apply(mockOf(namespace, "held", { definition: definition("2"), ...spec }));
  await ready(namespace, "held");
  expect(await servedVersion(at("held"))).toBe("1");
  await remove("configmap", namespace, configMapOf(mock));
  await serves(at("held"), "2", 60);
  const after = await ready(namespace, "held");
  expect(after.status?.definition?.hash).not.toBe(mock.status?.definition?.hash);
});

test("traffic that was pinned to an old Revision by hand comes back to the newest", async () => {
  await serving("pinned", "1");
  const second = await serving("pinned", "2");
  const traffic = [{ revisionName: "pinned-00001", latestRevision: false, percent: 100 }];
  await kubectl([
    "patch",
    "ksvc",
    "pinned",
    "--namespace",
    namespace,
    "--type=merge",
    "--patch",
    JSON.stringify({ spec: { traffic } }),
  ]);
  await until(
    "the traffic back",
    90,
    async () => await get("ksvc", namespace, "pinned"),
    (kservice) =>
      JSON.stringify(kservice.spec["traffic"]) ===
        JSON.stringify([{ latestRevision: true, percent: 100 }]) &&
      kservice.status?.traffic?.every(({ revisionName }) => revisionName === "pinned-00002") ===
        true,
  );
  await serves(at("pinned"), "2", 60);
  const mock = await ready(namespace, "pinned");
  expect(mock.status?.definition).toEqual(second.status?.definition);
});
