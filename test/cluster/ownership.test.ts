import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { eventually } from "./run.ts";
import { apply, get, kubectl, list, pause, remove, type Seen, until } from "./support/kube.ts";
import {
  ask,
  condition,
  definition,
  mockOf,
  ownNamespace,
  ready,
  serves,
} from "./support/mocks.ts";
import { resyncNow } from "./support/operator.ts";

const namespace = ownNamespace("ownership");

function at(name: string): string {
  return `http://${name}.${namespace}.svc.cluster.local`;
}

async function applyMock(name: string, version = "1"): Promise<void> {
  await apply(mockOf(namespace, name, { definition: definition(version) }));
}

/** Applies a mock that answers the version, and waits until it does and its children are its own. */
async function serving(name: string, version = "1"): Promise<Seen> {
  await applyMock(name, version);
  const mock = await ready(namespace, name, 120);
  await serves(at(name), version, 60);
  for (const child of await childrenOf(mock))
    expect(child.metadata.ownerReferences).toMatchObject([
      { kind: "APIMock", name, uid: mock.metadata.uid, controller: true },
    ]);
  return mock;
}

/** Answers the KService of the mock and the ConfigMap that it serves. */
async function childrenOf(mock: Seen): Promise<[kservice: Seen, configMap: Seen]> {
  const { name } = mock.metadata;
  const kservice = await get("ksvc", namespace, name);
  const served = `${name}-${mock.status?.definition?.hash ?? ""}`;
  const configMap = await get("configmap", namespace, served);
  if (kservice === undefined || configMap === undefined)
    throw new Error(`${name} is Ready without ${kservice ? served : "its KService"}`);
  return [kservice, configMap];
}

/** What must be the same of an object that is nobody's business. */
function untouched({ metadata, spec, data, binaryData }: Seen): object {
  const { uid, resourceVersion, generation, labels, annotations, ownerReferences } = metadata;
  const kept = { uid, resourceVersion, generation, labels, annotations, ownerReferences };
  return { metadata: kept, spec, data, binaryData };
}

async function seen(kind: string, name: string): Promise<object> {
  const object = await get(kind, namespace, name);
  if (object === undefined) throw new Error(`${kind} ${name} is gone`);
  return untouched(object);
}

/** The object as a backup tool would create it again: without what the cluster gave it. */
function restored(object: Seen, owner: object): object {
  const { apiVersion, kind, metadata, spec, binaryData } = object;
  const { name, labels, annotations } = metadata;
  const kept = { namespace, name, labels, annotations, ownerReferences: [owner] };
  const immutable = kind === "ConfigMap" ? { immutable: true } : {};
  return { apiVersion, kind, metadata: kept, spec, binaryData, ...immutable };
}

function configMap(name: string, metadata: object = {}): object {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace, name, ...metadata },
    data: { whose: "somebody's" },
  };
}

/** The spec of a KService that somebody else could have. */
let theirs: Readonly<Record<string, unknown>> = {};

/** A program that answers with something else than a mock. */
const program =
  "require('node:http').createServer((_, answer) => answer.end('theirs')).listen(8080)";

beforeAll(async () => {
  const [kservice] = await childrenOf(await serving("model"));
  const { template } = kservice.spec as unknown as Template;
  const { securityContext, image } = template.spec.containers[0] ?? {};
  const container = { image, securityContext, command: ["node", "--eval", program] };
  theirs = { template: { spec: { containers: [container] } } };
});

/** The part of a KService's spec that theirs is made of. */
interface Template {
  template: { spec: { containers: { image: string; securityContext: object }[] } };
}

test.for(["background", "foreground"])(
  "a mock deleted with --cascade=%s and re-created at once is Ready and answers",
  async (cascade) => {
    const before = await serving(cascade);
    await kubectl([
      "delete",
      `apimock/${cascade}`,
      `--cascade=${cascade}`,
      "--timeout=60s",
      "--namespace",
      namespace,
    ]);
    const after = await serving(cascade, "2");
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
  },
);

test("a mock deleted with --cascade=orphan and re-created takes its children over, and answers", async () => {
  const before = await serving("orphaned");
  const [kservice] = await childrenOf(before);
  await kubectl(["delete", "apimock/orphaned", "--cascade=orphan", "--namespace", namespace]);
  const left = await get("ksvc", namespace, "orphaned");
  expect(left?.metadata.uid).toBe(kservice.metadata.uid);
  expect(left?.metadata.ownerReferences).toBeUndefined();
  await serving("orphaned");
  const after = await serving("orphaned", "2");
  expect(after.metadata.uid).not.toBe(before.metadata.uid);
  expect((await get("ksvc", namespace, "orphaned"))?.metadata.uid).toBe(kservice.metadata.uid);
});

test.for(["nobody controls", "another object controls"])(
  "a KService that %s keeps its name: the mock says NameTaken, and goes without touching it",
  async (whose) => {
    const name = whose.startsWith("nobody") ? "taken" : "controlled";
    const controllers = [];
    if (name === "controlled") {
      await apply(configMap("controller"));
      const { apiVersion, kind, metadata } = (await get("configmap", namespace, "controller")) ?? {
        metadata: { uid: "" },
      };
      const { uid } = metadata;
      controllers.push({ apiVersion, kind, name: "controller", uid, controller: true });
    }
    await apply({
      apiVersion: "serving.knative.dev/v1",
      kind: "Service",
      metadata: {
        namespace,
        name,
        // A label is no proof of whose it is, and neither is one alone.
        labels: { "apirator.io/mock": name },
        ownerReferences: controllers,
      },
      spec: theirs,
    });
    await until(
      "their KService Ready",
      120,
      async () => await get("ksvc", namespace, name),
      (kservice) => condition(kservice, "Ready")?.status === "True",
    );
    await answersTheirs(name);
    const before = await seen("ksvc", name);
    await applyMock(name);
    const mock = await until(
      "NameTaken",
      60,
      async () => await get("apimock", namespace, name),
      (object) => condition(object, "Available")?.reason === "NameTaken",
    );
    for (const type of ["Available", "Ready"])
      expect(condition(mock, type)).toMatchObject({ status: "False", reason: "NameTaken" });
    expect(condition(mock, "Ready")?.message).toContain(`KService ${name}`);
    expect(condition(mock, "Validated")?.status).toBe("True");
    expect(mock.status).toMatchObject({ phase: "Error" });
    expect(mock.status?.url).toBeUndefined();
    await remove("apimock", namespace, name);
    // Longer than the garbage collector and the operator take.
    await pause(5000);
    expect(await seen("ksvc", name)).toEqual(before);
    await answersTheirs(name);
  },
);

/** Waits until the KService answers as its owner wants it to. */
async function answersTheirs(name: string): Promise<void> {
  await eventually(`${name} answers`, 60, async () =>
    (await ask(at(name))).text === "theirs" ? true : undefined,
  );
}

test("a Service that somebody else has of the mock's name is told of and left as it is", async () => {
  await apply({
    apiVersion: "v1",
    kind: "Service",
    metadata: { namespace, name: "service" },
    spec: { selector: { app: "theirs" }, ports: [{ port: 80 }] },
  });
  const before = await seen("service", "service");
  await applyMock("service");
  const mock = await until(
    "the Service told of",
    90,
    async () => await get("apimock", namespace, "service"),
    (object) => condition(object, "Ready")?.status === "False",
  );
  expect(mock.status?.phase).toBe("Error");
  expect(condition(mock, "Available")?.status).toBe("False");
  expect(condition(mock, "Ready")?.message).toMatch(/[Ss]ervice.*own/);
  await remove("apimock", namespace, "service");
  await pause(5000);
  expect(await seen("service", "service")).toEqual(before);
});

test("once the object that took the name is gone, a resync makes the mock Ready", async () => {
  const metadata = { namespace, name: "freed" };
  await apply({ apiVersion: "serving.knative.dev/v1", kind: "Service", metadata, spec: theirs });
  await applyMock("freed");
  await until(
    "NameTaken",
    60,
    async () => await get("apimock", namespace, "freed"),
    (object) => condition(object, "Ready")?.reason === "NameTaken",
  );
  await remove("ksvc", namespace, "freed");
  await resyncNow();
  const mock = await ready(namespace, "freed", 120);
  expect(mock.status).toMatchObject({ phase: "Running", url: at("freed") });
  await serves(at("freed"), "1", 60);
});

test("children restored with the uid of a mock that is no more make way, and what is others' stays as it is", async () => {
  const saved = await childrenOf(await serving("restored"));
  await remove("apimock", namespace, "restored");
  for (const { kind, metadata } of saved) {
    const resource = kind === "ConfigMap" ? "configmap" : "ksvc";
    const where = ["--namespace", namespace, "--timeout=90s"];
    await kubectl(["wait", "--for=delete", `${resource}/${metadata.name}`, ...where]);
  }
  const model = await get("apimock", namespace, "model");
  const stale = { apiVersion: "apirator.io/v1alpha1", kind: "APIMock", name: "restored" };
  const owner = { ...stale, uid: randomUUID(), controller: true };
  const ofModel = { ...stale, name: "model", uid: model?.metadata.uid, controller: true };
  const labels = { "apirator.io/mock": "restored" };
  await apply([
    configMap("restored-notes", { labels }),
    configMap("restored-0123456789", { labels, ownerReferences: [ofModel] }),
  ]);
  const bystanders = ["restored-notes", "restored-0123456789"];
  const before = await Promise.all(bystanders.map((name) => seen("configmap", name)));
  await apply([
    ...saved.map((object) => restored(object, owner)),
    mockOf(namespace, "restored", { definition: definition("1") }),
  ]);
  const mock = await serving("restored");
  const after = await Promise.all(bystanders.map((name) => seen("configmap", name)));
  expect(after).toEqual(before);
  const left = [...(await list("ksvc", namespace)), ...(await list("configmap", namespace))];
  const owners = left.flatMap(({ metadata }) => metadata.ownerReferences ?? []);
  expect(owners.map(({ uid }) => uid)).not.toContain(owner.uid);
  expect(owners.map(({ uid }) => uid)).toContain(mock.metadata.uid);
});
