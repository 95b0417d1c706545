import { enableCompileCache } from "node:module";
import { createInterface } from "node:readline/promises";
import { buffer } from "node:stream/consumers";
import { apirator } from "./apirator.ts";
import type { Context } from "./command.ts";
import { createTerminal } from "./terminal.ts";

function contextOf(signal: AbortSignal): Context {
  return {
    terminal: createTerminal({ out: process.stdout, err: process.stderr }, process.env),
    signal,
    environment: process.env,
    stdin: () => buffer(process.stdin),
    ask: async (question) => {
      if (!process.stdin.isTTY) return false;
      const lines = createInterface({ input: process.stdin, output: process.stderr });
      const answer = await lines.question(`${question} [y/N] `, { signal }).catch(() => "");
      lines.close();
      return /^y(es)?$/i.test(answer.trim());
    },
  };
}

// Commands are loaded after this: the second start takes half the time.
enableCompileCache();

const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
// A reader that has seen enough (`| head`) is no fault.
process.stdout.on("error", () => process.exit(0));

async function main(): Promise<void> {
  process.exitCode = await apirator(process.argv.slice(2), contextOf(stop.signal));
}

void main();
