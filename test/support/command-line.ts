import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject, onTestFinished } from "vitest";

/** What a command line ended with. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A command line that runs: what it has said so far, and ways to wait for more of it or for its end. */
export interface Running {
  said(): string;
  /** Resolves with all that was said once it matches; rejects at the end of the process or after `within` milliseconds. */
  until(pattern: RegExp, within?: number): Promise<string>;
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

/** Starts the built `apirator` with the arguments; it is ended when the test is. Nothing of the test's environment colours the output. */
export function startApirator(
  args: readonly string[],
  input = "",
  environment: Readonly<Record<string, string>> = {},
): Running & { ended: Promise<Ended> } {
  return startNode([join(inject("builtPackage"), "dist/cli.cjs"), ...args], input, environment);
}

/** Starts Node with the arguments, a program and what that takes, in the same way. */
export function startNode(
  args: readonly string[],
  input = "",
  environment: Readonly<Record<string, string>> = {},
): Running & { ended: Promise<Ended> } {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...environment },
  });
  const output = { out: "", err: "" };
  const listeners = new Set<() => void>();
  for (const [name, stream] of [
    ["out", child.stdout],
    ["err", child.stderr],
  ] as const) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
      for (const listener of listeners) listener();
    });
  }
  child.stdin.on("error", () => {}).end(input);
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code) => resolve({ code, ...output }));
  });
  const stop = (signal: NodeJS.Signals = "SIGINT"): Promise<Ended> => {
    child.kill(signal);
    return ended;
  };
  onTestFinished(async () => void (await stop("SIGKILL")));
  const said = (): string => output.out + output.err;
  return {
    ended,
    said,
    stop,
    until: (pattern, within = 20_000) =>
      new Promise((resolve, reject) => {
        const give = (why: string): void =>
          reject(new Error(`${why} without ${String(pattern)}:\n${said()}`));
        const timer = setTimeout(() => give("time is over"), within);
        const look = (): void => {
          if (!pattern.test(said())) return;
          clearTimeout(timer);
          listeners.delete(look);
          resolve(said());
        };
        listeners.add(look);
        void ended.then(() => give("the process ended"));
        look();
      }),
  };
}

/** Runs the built `apirator` to its end, as a process. */
export async function apirator(
  args: readonly string[],
  input = "",
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return startApirator(args, input, environment).ended;
}

/** Answers the path of a new folder with these files; it is removed when the test ends. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "apirator-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}
