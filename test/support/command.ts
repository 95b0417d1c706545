import { onTestFinished } from "vitest";
import type { Command, Context } from "../../cli/command.ts";
import { createTerminal } from "../../cli/terminal.ts";

/** A command that runs on in the test's own process: two processes fewer than from a shell. */
export interface RunningCommand {
  /** Where it serves, without a slash at the end. */
  readonly base: string;
  /** All that it has said, on both streams. */
  readonly said: () => string;
  /** Waits until that was said; rejects after 25 seconds, or where the command ended. */
  readonly until: (pattern: RegExp) => Promise<void>;
}

/** Starts a command that serves, on a free port, and answers once it has said that it is up; it is stopped when the test ends. */
export async function startCommand(
  command: Command,
  file: string,
  options: Readonly<Record<string, string | boolean>> = {},
): Promise<RunningCommand> {
  let text = "";
  let over = false;
  const stream = { write: (more: string) => (text += more) };
  const stop = new AbortController();
  const context: Context = {
    terminal: createTerminal({ out: stream, err: stream }, {}),
    signal: stop.signal,
    environment: {},
    stdin: () => Promise.resolve(""),
    ask: () => Promise.resolve(false),
  };
  const ended = command
    .run({ values: { port: "0", ...options }, positionals: [file] }, context)
    .finally(() => (over = true));
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  const until = async (pattern: RegExp): Promise<void> => {
    const begin = performance.now();
    while (!pattern.test(text)) {
      if (over || performance.now() - begin > 25_000)
        throw new Error(`nothing like ${String(pattern)} in:\n${text}`);
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 20))]);
    }
  };
  await until(/Ctrl-C stops\.\n/);
  return { base: /http:\/\/localhost:\d+/.exec(text)?.[0] ?? "", said: () => text, until };
}
