import { beforeAll, expect, test } from "vitest";
import { eventually } from "./run.ts";
import { apply, get, kubectl, pause, until } from "./support/kube.ts";
import {
  ask,
  condition,
  definition,
  mockOf,
  ownNamespace,
  ready,
  servedVersion,
  serves,
} from "./support/mocks.ts";

const namespace = ownNamespace("life");
const at = (name: string) => `http://${name}.${namespace}.svc.cluster.local`;

async function applyVersion(name: string, version: string, more: object = {}): Promise<void> {
  await apply(mockOf(namespace, name, { definition: definition(version), ...more }));
}

/** Answers the names of the pods that serve a KService and are not on their way out. */
async function podsOf(kservice: string, where = namespace): Promise<string> {
  const selector = `serving.knative.dev/service=${kservice}`;
  const running = ["--field-selector", "status.phase=Running"];
  return await kubectl([
    "get",
    "pods",
    "--namespace",
    where,
    "--selector",
    selector,
    ...running,
    "--output",
    "name",
  ]);
}

/** Prints what a person waited for, so that a run's output has the figures. */
function figure(what: string, since: number): number {
  const seconds = (performance.now() - since) / 1000;
  process.stdout.write(`${what}: ${seconds.toFixed(1)} s\n`);
  return seconds;
}

beforeAll(async () => {
  const start = performance.now();
  await applyVersion("pets", "1");
  await ready(namespace, "pets");
  await serves(at("pets"), "1", 60);
  figure("apply to the first answer", start);
});

test("an applied mock becomes Ready, kubectl shows it in its columns, and kubectl wait understands it", async () => {
  await kubectl([
    "wait",
    "--for=condition=Ready",
    "--timeout=60s",
    "--namespace",
    namespace,
    "apimock/pets",
  ]);
  const table = await kubectl(["get", "apimocks", "--namespace", namespace]);
  expect(table).toMatch(/^NAME +READY +PHASE +URL +OPERATIONS +AGE$/m);
  expect(table).toMatch(new RegExp(`^pets +True +Running +${at("pets")} +1 +\\S+$`, "m"));
  const mock = await get("apimock", namespace, "pets");
  expect(mock?.status).toMatchObject({
    phase: "Running",
    url: at("pets"),
    definition: { title: "Pets", version: "3.1.0", operations: 1 },
  });
  for (const each of mock?.status?.conditions ?? [])
    expect(each.observedGeneration).toBe(mock?.metadata.generation);
});

test("a mock of type LoadBalancer has a public address, and the first answer comes through the ingress", async () => {
  await applyVersion("public", "1", { service: { type: "LoadBalancer" } });
  const mock = await ready(namespace, "public");
  const url = mock.status?.url ?? "";
  expect(url).toMatch(new RegExp(`^https?://public\\.${namespace}\\.`));
  expect(url).not.toContain(".svc.cluster.local");
  await serves(url, "1", 60);
});

test("an edit is answered anew within 5 seconds", async () => {
  await applyVersion("edited", "1");
  await ready(namespace, "edited");
  await serves(at("edited"), "1", 60);
  const start = performance.now();
  await applyVersion("edited", "2");
  await serves(at("edited"), "2", 30);
  expect(figure("edit to the first new answer", start)).toBeLessThan(5);
});

test("a bad edit keeps the old answers and says line and column; the mended document is served", async () => {
  await applyVersion("mended", "1");
  await ready(namespace, "mended");
  await apply(
    mockOf(namespace, "mended", {
      definition: definition("2").replace(
        '{version: "2"}}}',
        '{version: "2"}, schema: {$ref: "#/components/schemas/Pett"}}}',
      ),
    }),
  );
  const refused = await until(
    "the edit refused",
    60,
    async () => await get("apimock", namespace, "mended"),
    (mock) => condition(mock, "Validated")?.status === "False",
  );
  expect(condition(refused, "Ready")).toMatchObject({
    status: "False",
    reason: "DefinitionRefused",
    message: "1 error: line 10, column 74",
  });
  expect(refused.status).toMatchObject({
    phase: "Failed",
    definition: { version: "3.1.0" },
    findings: [{ code: "unresolved-ref", line: 10 }],
  });
  expect(condition(refused, "Available")?.status).toBe("True");
  expect(await servedVersion(at("mended"))).toBe("1");
  await applyVersion("mended", "3");
  await ready(namespace, "mended");
  await serves(at("mended"), "3", 30);
});

test("watch: false holds the definition in service, and watch: true lets the newest through", async () => {
  await applyVersion("held", "1", { watch: false });
  await ready(namespace, "held");
  await applyVersion("held", "2", { watch: false });
  await until(
    "the edit seen",
    60,
    async () => await get("apimock", namespace, "held"),
    (mock) => mock.status?.observedGeneration === mock.metadata.generation,
  );
  // Longer than a roll-out takes.
  await pause(5000);
  expect(await servedVersion(at("held"))).toBe("1");
  await applyVersion("held", "2", { watch: true });
  await serves(at("held"), "2", 60);
});

test("a definition in a shared ConfigMap is served, and its changes are followed", async () => {
  const shared = (version: string) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace, name: "documents", labels: { "apirator.io/definition": "true" } },
    data: { "pets.yaml": definition(version) },
  });
  await apply(shared("1"));
  await apply(
    mockOf(namespace, "referring", {
      definitionFrom: { configMapKeyRef: { name: "documents", key: "pets.yaml" } },
    }),
  );
  await ready(namespace, "referring");
  await serves(at("referring"), "1", 60);
  await apply(shared("2"));
  await serves(at("referring"), "2", 60);
  const mock = await ready(namespace, "referring");
  expect(condition(mock, "Validated")?.status).toBe("True");
});

test("a definition of 700 KB, too long for a client-side apply, is served after a server-side one", async () => {
  const paths = Array.from(
    { length: 2000 },
    (_, index) =>
      `  /long/path/number/${index}:\n    get:\n      summary: ${"s".repeat(200)}\n      responses: {"200": {description: fine, content: {application/json: {example: {number: ${index}}}}}}\n`,
  );
  const object = JSON.stringify(
    mockOf(namespace, "large", { definition: definition("1", paths.join("")) }),
  );
  expect(object.length).toBeGreaterThan(600_000);
  await expect(kubectl(["apply", "-f", "-"], object)).rejects.toThrow(
    /Too long: may not be more than 262144 bytes/,
  );
  await apply(object);
  const mock = await ready(namespace, "large");
  expect(mock.status?.definition?.operations).toBe(2001);
  expect((await ask(`${at("large")}/long/path/number/1999`)).text).toBe('{"number":1999}');
});

test("left alone, mock and functions go to zero; the next request and the next event wake them", async () => {
  await eventually("the mock at zero", 180, async () =>
    (await podsOf("pets")) === "" ? true : undefined,
  );
  await eventually("the functions at zero", 180, async () => {
    const pods = `${await podsOf("reconcile", "apirator-system")}${await podsOf("resync", "apirator-system")}`;
    return pods === "" ? true : undefined;
  });
  const mock = await get("apimock", namespace, "pets");
  expect(condition(mock, "Ready")?.status).toBe("True");
  const request = performance.now();
  expect(await servedVersion(at("pets"))).toBe("1");
  figure("cold answer", request);
  const edit = performance.now();
  await applyVersion("pets", "2");
  await serves(at("pets"), "2", 60);
  figure("edit to the first new answer, functions asleep", edit);
  expect(await podsOf("reconcile", "apirator-system")).not.toBe("");
});
