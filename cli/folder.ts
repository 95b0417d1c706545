import { statSync, watch } from "node:fs";
import { readFile, readdir, stat } from "node:fs/promises";
import path from "node:path";
import { decode } from "./decode.ts";
import type { FileContents } from "./manifest.ts";
import { readManifests } from "./manifest.ts";

/** A file of a folder and what it holds; `file` is as people type it from where they are. */
export interface FolderFile extends FileContents {
  readonly file: string;
}

/** Names of files that are read; those that begin with a dot are an editor's. */
const manifestName = /^[^.].*\.(ya?ml|json)$/i;

/**
 * Reads the YAML and JSON files of a folder (not of folders in it), in the order of their names; a path of a file is read alone.
 * A file that vanishes meanwhile is left out. Rejects where the folder itself cannot be read, or the path is of a file of another kind (ENOTDIR).
 */
export async function readFolder(folder: string): Promise<FolderFile[]> {
  const isFolder = (await stat(folder)).isDirectory();
  if (!isFolder && !manifestName.test(path.basename(folder)))
    throw Object.assign(new Error(`${folder} is not a folder`), { code: "ENOTDIR" });
  const names = isFolder ? await readdir(folder) : [""];
  const files = names.filter((name) => name === "" || manifestName.test(name)).sort();
  const read = await Promise.all(files.map((name) => readOne(path.join(folder, name))));
  return read.filter((file) => file !== undefined);
}

async function readOne(file: string): Promise<FolderFile | undefined> {
  try {
    return { file, ...readManifests(decode(await readFile(file)), file) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EISDIR") return undefined;
    return { file, manifests: [], problems: [{ line: 1, column: 1, message }] };
  }
}

/** Milliseconds in which several notes become one: editors write, rename and touch. */
const quiet = 60;

/**
 * Calls `changed` shortly after anything in the folder, or in the file's folder, changed: what, the caller looks for itself. Calls are bundled.
 * Answers a function that ends it. `lost` is called where the folder can no longer be watched.
 */
export function watchFolder(
  folder: string,
  { changed, lost }: { changed: () => void; lost: (error: Error) => void },
): () => void {
  let timer: NodeJS.Timeout | undefined;
  // A file is watched by its folder: editors put a new one in its place.
  const watched = statSync(folder).isDirectory() ? folder : path.dirname(folder);
  const watcher = watch(watched, () => {
    // Not put off by what comes meanwhile: a log that is written beside the file would put it off for ever.
    timer ??= setTimeout(() => {
      timer = undefined;
      changed();
    }, quiet);
  });
  watcher.on("error", lost);
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}
