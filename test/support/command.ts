import { onTestFinished } from "vitest";
import type { Command, Context } from "../../cli/command.ts";
import { createTerminal } from "../../cli/terminal.ts";
import { compilerHere } from "./compiler.ts";

/** A command that runs on in the test's own process: two processes fewer than from a shell. */
export interface RunningCommand {
  /** Where it serves, without a slash at the end. */
  readonly base: string;
  /** All that it has said, on both streams. */
  readonly said: () => string;
  /** Resolves once that was said; rejects after 25 seconds, or where the command ended without it. */
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
  const listeners = new Set<() => void>();
  const heard = (): void => listeners.forEach((listener) => listener());
  const stream = {
    write: (more: string) => {
      text += more;
      heard();
    },
  };
  const stop = new AbortController();
  const context: Context = {
    terminal: createTerminal({ out: stream, err: stream }, {}),
    signal: stop.signal,
    environment: {},
    stdin: () => Promise.resolve(""),
    ask: () => Promise.resolve(false),
    compiler: compilerHere,
  };
  const ended = command
    .run({ values: { port: "0", ...options }, positionals: [file] }, context)
    .finally(() => {
      over = true;
      heard();
    });
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  const until = (pattern: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (end: () => void): void => {
        clearTimeout(timer);
        listeners.delete(look);
        end();
      };
      const give = (): void =>
        settle(() => reject(new Error(`nothing like ${String(pattern)} in:\n${text}`)));
      const timer = setTimeout(give, 25_000);
      const look = (): void => {
        if (pattern.test(text)) settle(resolve);
        else if (over) give();
      };
      listeners.add(look);
      look();
    });
  await until(/Ctrl-C stops\.\n/);
  return { base: /http:\/\/localhost:\d+/.exec(text)?.[0] ?? "", said: () => text, until };
}
