import { onTestFinished } from "vitest";
import { apirator } from "../../cli/apirator.ts";
import type { Command, Context } from "../../cli/command.ts";
import { createTerminal } from "../../cli/terminal.ts";
import type { Ended } from "./command-line.ts";
import { compilerHere } from "./compiler.ts";

/** Runs `apirator` to its end in the test's own process, and compiles there: what a pipe gets, in a tenth of the time. */
export async function apiratorHere(
  args: readonly string[],
  input: string | Uint8Array = "",
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  let out = "";
  let err = "";
  const streams = {
    out: { write: (text: string) => (out += text) },
    err: { write: (text: string) => (err += text) },
  };
  const code = await apirator(args, {
    ...surroundings,
    terminal: createTerminal(streams, environment),
    signal: new AbortController().signal,
    environment,
    stdin: () => Promise.resolve(Buffer.from(input)),
  });
  return { code, out, err };
}

/** What a command has of a process that nobody sits in front of. */
const surroundings = {
  environment: {},
  stdin: () => Promise.resolve(new Uint8Array()),
  ask: () => Promise.resolve(false),
  compiler: compilerHere,
};

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
    ...surroundings,
    terminal: createTerminal({ out: stream, err: stream }, {}),
    signal: stop.signal,
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
