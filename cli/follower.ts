import type { Cluster } from "../lib/cluster/cluster.ts";
import type { Finding } from "../lib/finding.ts";
import type { Key } from "../lib/names.ts";
import type { FolderFile } from "./folder.ts";
import { readFolder, watchFolder } from "./folder.ts";
import type { FiledFinding } from "./row.ts";
import type { Terminal } from "./terminal.ts";
import type { Complaint } from "./upkeep.ts";
import { createUpkeep } from "./upkeep.ts";

/** A cluster that follows a folder. */
export interface Follower {
  /** What the folder held when it was last read. */
  files(): readonly FolderFile[];
  /** What is wrong with its files now. */
  complaints(): readonly Complaint[];
  /** Answers a finding with its place in the file. */
  filed(key: Key, finding: Finding): FiledFinding;
  /** Ends following; resolves when the last change has been applied. */
  stop(): Promise<void>;
}

/**
 * Applies the files of a folder, and follows them from then on, one change at a time. Each complaint is printed once; `changed` is called after
 * each change. Resolves when the folder has been applied for the first time; rejects where it cannot be read then.
 */
export async function followFolder(
  folder: string,
  cluster: Cluster,
  { terminal, changed }: { readonly terminal: Terminal; readonly changed: () => void },
): Promise<Follower> {
  const upkeep = createUpkeep(cluster);
  let files: readonly FolderFile[] = [];
  let complaints: readonly Complaint[] = [];

  const update = async (): Promise<void> => {
    files = await readFolder(folder);
    const known = new Set(complaints.map(complaintLine));
    complaints = await upkeep.update(files);
    const lines = complaints.map(complaintLine).filter((line) => !known.has(line));
    for (const line of lines) terminal.err(line);
    changed();
  };

  let work = Promise.resolve();
  const later = (): void => {
    work = work.then(update).catch((error: unknown) => {
      terminal.err(`${folder} cannot be read: ${(error as Error).message}; what served goes on`);
    });
  };
  // Before it is read: what changes meanwhile must not be lost.
  const stopWatching = watchFolder(folder, {
    changed: later,
    lost: (error) => terminal.err(`${folder} is no longer watched: ${error.message}`),
  });
  const first = update();
  work = first.catch(() => {});
  await first.catch((error: unknown) => {
    stopWatching();
    throw error;
  });
  return {
    files: () => files,
    complaints: () => complaints,
    filed: (key, finding) => upkeep.filed(key, finding),
    stop: async () => {
      stopWatching();
      await work;
    },
  };
}

function complaintLine({ file, line, column, message }: Complaint): string {
  return `${file}:${line}:${column}: ${message}`;
}
