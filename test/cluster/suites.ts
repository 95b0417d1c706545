import { spawn } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { buildahEnvironment, makeBaseImage } from "./base-image.ts";
import { kubectlPath } from "../support/kubectl.ts";
import { exitWith } from "./exit.ts";
import { addresses, inside, places } from "./places.ts";
import { programPath } from "./programs.ts";
import { up } from "./up.ts";

/**
 * Runs the suites on a cluster: `npm run test:cluster [-- FILE…]`. With KUBECONFIG set it is that cluster, and INGRESS is the address of its Knative
 * ingress; otherwise the test cluster, which is brought up first and left up; with `--control-plane` only the contract, on that. Exit code 1 where a test fails, or could not run.
 */
const say = (line: string) => process.stdout.write(`${line}\n`);
const vitest = [
  join(import.meta.dirname, "../../node_modules/vitest/vitest.mjs"),
  "run",
  "--config",
  join(import.meta.dirname, "vitest.config.ts"),
];
const lighter = process.argv.includes("--control-plane");
const wanted = process.argv.slice(2).filter((argument) => argument !== "--control-plane");
const args = [...process.execArgv, ...vitest, ...(lighter ? ["contract"] : wanted)];

async function start(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const child = spawn(command, args, { stdio: "inherit", env: { ...process.env, ...env } });
  // The terminal sends Ctrl-C to the suites too: they end, and this process with them.
  process.on("SIGINT", () => {});
  return await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}

async function onTestCluster(): Promise<number> {
  await up(lighter ? "control-plane" : "node", say);
  if (!lighter) await makeBaseImage(say);
  const tools = join(places.state, "tools");
  const path = [join(import.meta.dirname, "bin"), tools, process.env["PATH"] ?? ""].join(delimiter);
  linkTools(tools);
  const [command, all] = inside(process.execPath, args);
  return await start(command, all, {
    ...buildahEnvironment(),
    PATH: path,
    KUBECONFIG: places.kubeconfig,
    INGRESS: addresses.ingress,
    LOCAL_INGRESS: addresses.localIngress,
    REGISTRY: `${addresses.registry}/apirator`,
    TEST_CLUSTER: lighter ? "control-plane" : "node",
    SKAFFOLD_UPDATE_CHECK: "false",
  });
}

/** Puts kubectl and skaffold where the suites' PATH finds them. */
function linkTools(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, path] of [
    ["kubectl", kubectlPath()],
    ...(lighter ? [] : [["skaffold", programPath("skaffold")] as const]),
  ] as const) {
    if (!existsSync(join(folder, name))) symlinkSync(path, join(folder, name));
  }
}

await exitWith(
  process.env["KUBECONFIG"] === undefined ? onTestCluster() : start(process.execPath, args, {}),
);
