import { spawn } from "node:child_process";
import { kubectlPath } from "../support/kubectl.ts";
import { inside, places } from "./places.ts";
import { run } from "./run.ts";

/** Runs kubectl as the cluster's administrator and answers what it printed. Throws with kubectl's own words. */
export async function kubectl(...args: string[]): Promise<string> {
  return await run(...inside(kubectlPath(), ["--kubeconfig", places.kubeconfig, ...args]));
}

/** Applies YAML or JSON on the server's side, taking over every field. Throws with kubectl's own words. */
export async function applyManifest(text: string): Promise<string> {
  const args = [
    "--kubeconfig",
    places.kubeconfig,
    "apply",
    "--server-side",
    "--force-conflicts",
    "-f",
    "-",
  ];
  return await run(...inside(kubectlPath(), args), { input: text });
}

/** Runs kubectl with this terminal as its own and answers its exit code. */
export async function kubectlHere(args: readonly string[]): Promise<number> {
  const [command, all] = inside(kubectlPath(), ["--kubeconfig", places.kubeconfig, ...args]);
  const child = spawn(command, all, { stdio: "inherit" });
  return await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}
