import type { ParseArgsOptionsConfig } from "node:util";
import type { Compiler } from "../lib/compiler/compilation.ts";
import type { Terminal } from "./terminal.ts";

/** What a command may use of the process; made by `main`, so that nothing else reads the environment or ends the process. */
export interface Context {
  readonly terminal: Terminal;
  /** Aborted by Ctrl-C or SIGTERM: a command that runs on cleans up and returns. */
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads standard input to its end. */
  readonly stdin: () => Promise<Uint8Array>;
  /** Asks a question that is answered with y or n; false where nobody can answer. */
  readonly ask: (question: string) => Promise<boolean>;
  /** Compiles the definitions of the operator; a process of its own where it is left out. */
  readonly compiler?: Compiler;
}

/** What was given on the command line. */
export interface Given {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
}

/** One command of `apirator`. `help` is what `--help` prints, its first line the usage. */
export interface Command {
  readonly help: string;
  readonly options: ParseArgsOptionsConfig;
  /** Answers the exit code: 0 all well, 1 something is wrong with what was given. */
  run(given: Given, context: Context): Promise<number>;
}

/** The command line itself is wrong: exit code 2. The message is one line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What was asked for could not be done: exit code 1. The message is one line and says what to do. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** Answers the text of an option, or undefined. */
export function textOption(given: Given, name: string): string | undefined {
  const value = given.values[name];
  return typeof value === "string" ? value : undefined;
}

/** Answers a port option; throws a `UsageError` for anything but 0 to 65535. */
export function portOption(given: Given, fallback: number): number {
  const text = textOption(given, "port");
  if (text === undefined) return fallback;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError(`--port ${text} is no port; give a number from 0 (any free one) to 65535`);
}

/** Answers one of several texts, whatever its case; throws a `UsageError` that lists them. */
export function choiceOption<Choice extends string>(
  given: Given,
  name: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const text = textOption(given, name) ?? choices[0];
  const choice = choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
  if (choice !== undefined) return choice;
  throw new UsageError(`--${name} ${text} is unknown; give ${choices.join(", ")}`);
}

/** Resolves when the signal is aborted: Ctrl-C. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
