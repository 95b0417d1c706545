import { spawn } from "node:child_process";
import { join } from "node:path";
import { eventually } from "../run.ts";
import { kubectl } from "./kube.ts";

/** The checkout that is built and installed. */
export const checkout = join(import.meta.dirname, "../../..");

/** Answers Skaffold's arguments for this cluster: the current context, the registry of REGISTRY, buildah where the test cluster has it. */
export async function skaffoldArguments(
  command: "run" | "dev" | "build",
  profiles: readonly string[] = [],
): Promise<string[]> {
  const context = (await kubectl(["config", "current-context"])).trim();
  const registry = process.env["REGISTRY"];
  if (registry === undefined)
    throw new Error(
      "REGISTRY is not set: the suites push the operator's image to a registry that the cluster pulls from, as in REGISTRY=registry.example.com/apirator",
    );
  const own = process.env["TEST_CLUSTER"] === undefined ? [] : ["buildah"];
  const all = [...own, ...profiles];
  return [
    command,
    ...(command === "build" ? [] : ["--kube-context", context]),
    "--default-repo",
    registry,
    ...(all.length === 0 ? [] : ["--profile", all.join(",")]),
    ...(own.length === 0 ? [] : ["--insecure-registry", registry.split("/")[0] ?? ""]),
    "--interactive=false",
  ];
}

/** Runs `skaffold run` in a checkout and answers all that it printed. Throws with the end of it where it fails. */
export async function skaffoldRun(
  folder = checkout,
  profiles: readonly string[] = [],
): Promise<string> {
  const child = spawn("skaffold", await skaffoldArguments("run", profiles), {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString("utf8")));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new Error(`skaffold run: exit ${code}: ${output.slice(-4000)}`);
  return output;
}

/** Waits until no function of the operator runs. A namespace with a pod in it that may take 300 s to end is otherwise not looked at again for 150 s. */
export async function functionsAsleep(): Promise<void> {
  await eventually("the functions are at zero", 180, async () => {
    const pods = await kubectl([
      "get",
      "pods",
      "--namespace",
      "apirator-system",
      "--selector",
      "serving.knative.dev/service",
      "--output",
      "name",
    ]);
    return pods === "" ? true : undefined;
  });
}
