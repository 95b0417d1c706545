import { existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";

/** Throws where the disk of a folder, which need not be there yet, has less than `gigabytes` free; `variable` is the environment variable that names another place. */
export function requireSpace(folder: string, gigabytes: number, variable: string): void {
  let there = folder;
  while (!existsSync(there)) there = dirname(there);
  const { bavail, bsize } = statfsSync(there);
  const free = (bavail * bsize) / 1e9;
  if (free >= gigabytes) return;
  throw new Error(
    `${folder} has ${free.toFixed(2)} GB free and needs ${gigabytes}: free some, or set ${variable} to a folder on a larger disk`,
  );
}
