import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of the package as it is published: `dist/` and what lies beside it. */
    readonly builtPackage: string;
  }
}

/**
 * Builds the package once for all tests of a run, into a folder of its own: tests start what users start, and starting the sources takes
 * three times as long. Answers what takes the folder away again.
 */
export default function setup(project: TestProject): () => void {
  const root = mkdtempSync(join(tmpdir(), "apirator-package-"));
  for (const path of ["package.json", "knative/crd"])
    cpSync(path, join(root, path), { recursive: true });
  execFileSync(process.execPath, ["--no-warnings", "build.ts", join(root, "dist")], {
    stdio: "inherit",
  });
  project.provide("builtPackage", root);
  return () => rmSync(root, { recursive: true, force: true });
}
