import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { dev } from "../../cli/dev.ts";
import type { RunningCommand } from "./command.ts";
import { startCommand } from "./command.ts";
import { folderWith } from "./command-line.ts";

/** `apirator dev` on a folder of its own. */
export interface Dev extends RunningCommand {
  readonly folder: string;
  /** Answers the body of a GET. */
  get(path: string): Promise<string>;
  write(name: string, text: string): void;
}

/** Starts the command on a new folder with these files. */
export async function startDev(files: Readonly<Record<string, string>>): Promise<Dev> {
  const folder = folderWith(files);
  const running = await startCommand(dev, folder);
  return {
    ...running,
    folder,
    get: async (path) => (await fetch(`${running.base}${path}`)).text(),
    write: (name, text) => writeFileSync(join(folder, name), text),
  };
}
