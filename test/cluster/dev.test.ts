import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "./run.ts";
import { apply, get, kubectl, until } from "./support/kube.ts";
import { ask, definition, mockOf, ownNamespace, ready, servedVersion } from "./support/mocks.ts";
import { checkout, skaffoldArguments, skaffoldRun } from "./support/skaffold.ts";

const namespace = ownNamespace("dev");
const system = "apirator-system";
let folder = "";
let session: ChildProcess | undefined;
let output = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "apirator-dev-"));
  // A clone: the test changes a source file.
  execFileSync("git", ["clone", "--quiet", checkout, folder]);
});

afterAll(async () => {
  session?.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
  // The functions finish what runs before they go, and the namespace with them.
  await kubectl(["wait", "--for=delete", `namespace/${system}`, "--timeout=300s"]);
  await skaffoldRun();
});

async function startSession(): Promise<void> {
  const child = spawn("skaffold", await skaffoldArguments("dev"), {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString("utf8")));
  session = child;
}

async function watching(times: number): Promise<void> {
  await eventually("skaffold dev watches for changes", 240, async () => {
    if (session?.exitCode !== null) throw new Error(`skaffold dev ended: ${output.slice(-2000)}`);
    return output.split("Watching for changes...").length - 1 >= times ? true : undefined;
  });
}

async function imageOfReconcile(): Promise<string> {
  return await kubectl([
    "get",
    "ksvc",
    "reconcile",
    "--namespace",
    system,
    "--output",
    "jsonpath={.spec.template.spec.containers[0].image}",
  ]);
}

test("skaffold dev: a changed source file reaches the cluster, and Ctrl-C takes the operator away but no mock", async () => {
  await startSession();
  await watching(1);
  await apply(mockOf(namespace, "pets", { definition: definition("1") }));
  const mock = await ready(namespace, "pets");
  const before = await imageOfReconcile();
  const app = join(folder, "lib/event-app.ts");
  const text = readFileSync(app, "utf8");
  const changed = text.replace(
    'app.get("/healthz", (context) => context.body(null, 204));',
    'app.get("/healthz", (context) => context.text("changed by a test", 200));',
  );
  expect(changed).not.toBe(text);
  writeFileSync(app, changed);
  await watching(2);
  expect(await imageOfReconcile()).not.toBe(before);
  await until(
    "reconcile Ready",
    120,
    async () => await get("ksvc", system, "reconcile"),
    ({ status, metadata }) =>
      status?.observedGeneration === metadata.generation &&
      (status.conditions ?? []).every((each) => each.status === "True"),
  );
  await eventually("the changed code answers", 60, async () =>
    (await ask(`http://reconcile.${system}.svc.cluster.local/healthz`)).text === "changed by a test"
      ? true
      : undefined,
  );
  session?.kill("SIGINT");
  await eventually("skaffold dev has ended", 120, async () =>
    session?.exitCode === null ? undefined : true,
  );
  expect(await get("ksvc", system, "reconcile")).toBeUndefined();
  expect(await kubectl(["get", "crd", "apimocks.apirator.io", "--output", "name"])).toContain(
    "apimocks.apirator.io",
  );
  expect(await get("apimock", namespace, "pets")).toBeDefined();
  expect(await servedVersion(mock.status?.url ?? "")).toBe("1");
});
