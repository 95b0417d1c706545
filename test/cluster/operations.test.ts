import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "./run.ts";
import { kubectl, list } from "./support/kube.ts";
import { ownNamespace, ready } from "./support/mocks.ts";
import { checkout, functionsAsleep, skaffoldRun } from "./support/skaffold.ts";

const page = readFileSync(join(checkout, "docs/operations.md"), "utf8");
const namespace = ownNamespace("operations");
const registry = process.env["REGISTRY"] ?? "";
let folder = "";
let kubeconfig = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "apirator-operations-"));
  cpSync(checkout, folder, {
    recursive: true,
    filter: (path) => !/\/(node_modules|\.git|dist|\.vitest|test)$/.test(path),
  });
  // A person works in a namespace of their own.
  kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, await kubectl(["config", "view", "--raw"]));
  await kubectl([
    "--kubeconfig",
    kubeconfig,
    "config",
    "set-context",
    "--current",
    `--namespace=${namespace}`,
  ]);
  // The page installs on a cluster without the operator.
  await functionsAsleep();
  await kubectl(["delete", "-k", join(checkout, "knative/operator"), "--ignore-not-found"]);
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await skaffoldRun();
});

/** Answers the commands of a section's code blocks, in their order. */
function commandsOf(heading: string): string[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = ""]) =>
    block.trim().split("\n"),
  );
}

/** Answers the commands that a table names in its cells. */
function commandsInTable(): string[] {
  return [...page.matchAll(/`(kubectl [^`|]+)`/g)]
    .map(([, command = ""]) => command)
    .filter((command) => page.includes(`| \`${command}\` |`));
}

/** Runs a command of the page as it stands, in the copy of the checkout and in this test's namespace; answers its output. */
function sh(command: string): Promise<string> {
  const placed = command.replaceAll("REGISTRY", registry).replaceAll("NAME", "bets");
  return new Promise((resolve, reject) => {
    execFile(
      "sh",
      ["-ec", placed],
      { cwd: folder, maxBuffer: 2 ** 26, env: { ...process.env, KUBECONFIG: kubeconfig } },
      (error, out, errors) => {
        if (error === null) resolve(out);
        else reject(new Error(`${command}: ${errors.trim() || error.message}`));
      },
    );
  });
}

/** Waits until no pod of the operator is between its making and the start of its containers. */
async function noneStarting(): Promise<void> {
  const pending = ["--field-selector=status.phase=Pending", "--output=name"];
  await eventually("no pod of the operator is starting", 60, async () =>
    (await kubectl(["get", "pods", "--namespace=apirator-system", ...pending])) === ""
      ? true
      : undefined,
  );
}

test("the page's install leaves an operator and a mock that is Ready", async () => {
  const commands = commandsOf("Install");
  expect(commands.length).toBeGreaterThan(8);
  for (const command of commands) await sh(command);
  await ready(namespace, "bets");
});

test("the page's upgrade goes through, and leaves the mock Ready", async () => {
  const commands = commandsOf("Upgrade");
  expect(commands.length).toBeGreaterThan(2);
  for (const command of commands) await sh(command);
  await ready(namespace, "bets");
});

test.for(commandsInTable())("%s is a command that this cluster takes", async (command) => {
  // The row before may just have woken the function whose log this one reads: there is none until its container has started.
  await noneStarting();
  await expect(sh(command)).resolves.toBeTypeOf("string");
});

test("the page's uninstall, in its order, leaves neither mock nor child nor resource", async () => {
  const commands = commandsOf("Uninstall");
  expect(commands).toHaveLength(3);
  await functionsAsleep();
  for (const command of commands) await sh(command);
  expect(await kubectl(["get", "crd", "apimocks.apirator.io", "--ignore-not-found"])).toBe("");
  await kubectl([
    "wait",
    "--for=delete",
    "ksvc,configmap",
    "--all-namespaces",
    "--selector",
    "apirator.io/mock",
    "--timeout=120s",
  ]);
  expect(await list("ksvc", namespace)).toEqual([]);
});
