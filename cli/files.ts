import { fileURLToPath } from "node:url";

/** The built command line is one file beside the compiler's; in the source tree both are where they were written. */
const isBuilt = import.meta.url.endsWith(".cjs");

/** Files that the command line needs beside itself, as paths. */
export const files = {
  /** Start of the compiler's process. */
  compiler: at(isBuilt ? "compile.cjs" : "../lib/compiler/main.ts"),
  /** CustomResourceDefinition of APIMock. */
  crd: at("../knative/crd/apimock.yaml"),
  package: at("../package.json"),
} as const;

function at(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
