import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";

interface Output {
  readonly bytes: number;
  readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>;
  readonly imports: readonly { path: string; kind: string; external?: boolean }[];
}

/** What `npm run build` makes, as the published package holds it. */
export interface Bundles {
  /** Answers the file's path. */
  file(name: string): string;
  /** Answers the files that a start file loads at once, itself among them; with `lazy` also those that it may load later. */
  parts(name: string, lazy?: boolean): string[];
  /** Answers the bytes of these files. */
  bytes(files: readonly string[]): number;
  /** Answers which packages and source files are in these files. */
  inputs(files: readonly string[]): string[];
  /** Answers the modules that these files expect of whoever runs them. */
  externals(files: readonly string[]): string[];
}

/** Answers what the build of this run has made. */
export function builtBundles(): Bundles {
  const folder = join(inject("builtPackage"), "dist");
  const meta = JSON.parse(readFileSync(join(folder, "meta.json"), "utf8")) as {
    outputs: Readonly<Record<string, Output>>;
  };
  const base = (path: string): string => path.split("/").at(-1) ?? path;
  const outputs = new Map(
    Object.entries(meta.outputs).map(([path, output]) => [base(path), output]),
  );
  const output = (file: string): Output => {
    const found = outputs.get(file);
    if (found === undefined) throw new Error(`the build made no ${file}`);
    return found;
  };
  const parts = (name: string, lazy = false): string[] => {
    const found = new Set([name]);
    for (const file of found) {
      for (const { path, kind, external } of output(file).imports) {
        if (external !== true && (lazy || kind === "import-statement")) found.add(base(path));
      }
    }
    return [...found];
  };
  const unique = (items: readonly string[]): string[] => [...new Set(items)].toSorted();
  return {
    file: (name) => join(folder, name),
    parts,
    bytes: (files) => files.reduce((sum, file) => sum + output(file).bytes, 0),
    inputs: (files) =>
      unique(
        files.flatMap((file) =>
          Object.entries(output(file).inputs).flatMap(([path, { bytesInOutput }]) =>
            bytesInOutput > 0 ? [/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path] : [],
          ),
        ),
      ),
    externals: (files) =>
      unique(
        files.flatMap((file) =>
          output(file).imports.flatMap(({ path, external }) => (external === true ? [path] : [])),
        ),
      ),
  };
}
