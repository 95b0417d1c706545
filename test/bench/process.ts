import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { bytesOf, once, type Answer, type Probe } from "./http.ts";

/** A program to measure: what to start, and with which environment beside PORT. */
export interface Program {
  readonly name: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A program that has given its first answer. */
export interface Running {
  readonly port: number;
  /** Milliseconds from spawn to the last byte of the first answer. */
  readonly firstAnswer: number;
  /** Resident memory after the first answer, MiB; NaN where /proc is missing. */
  readonly memory: number;
  readonly answer: Answer;
  /** Kills it. */
  stop(): Promise<void>;
  /** Asks it to end, so that Node writes its code cache; kills it after five seconds. */
  end(): Promise<void>;
}

const children = new Set<ChildProcess>();

/** Kills whatever was started here and still runs. */
export function killAll(): void {
  for (const child of children) child.kill("SIGKILL");
}

/** Runs a command to its end. Throws with its last words where it fails. */
export async function run(command: string, args: readonly string[]): Promise<void> {
  const { child, words } = launch(command, args, process.env);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${words().trim()}`);
}

/** Starts the program on a free port of loopback, sends the probe until it is answered, at most for 60 s. Throws with its last words where it fails. */
export async function start(program: Program, probe: Probe): Promise<Running> {
  const port = await freePort();
  const [command = "", ...args] = program.command.map((word) =>
    word.replaceAll("{PORT}", String(port)),
  );
  const bytes = bytesOf(probe, port);
  const env = { PATH: process.env["PATH"], ...program.env, PORT: String(port) };
  const began = performance.now();
  const { child, words } = launch(command, args, env);
  const answer = await firstAnswer(child, () => once(port, bytes), began);
  const elapsed = performance.now() - began;
  if (answer?.status !== probe.status) {
    await stop(child, "SIGKILL");
    throw new Error(
      `${program.name}: ${probe.method} ${probe.path}: expected ${probe.status}, got ${answer?.status ?? "no answer"}: ${answer?.body ?? words()}`,
    );
  }
  return {
    port,
    firstAnswer: elapsed,
    memory: memoryOf(child),
    answer,
    stop: async () => await stop(child, "SIGKILL"),
    end: async () => await stop(child, "SIGTERM"),
  };
}

function launch(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): { child: ChildProcess; words: () => string } {
  const child = spawn(command, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  children.add(child);
  child.once("close", () => children.delete(child));
  let words = "";
  child.stderr.on("data", (chunk: Buffer) => {
    words = `${words}${chunk.toString("utf8")}`.slice(-2000);
  });
  return { child, words: () => words };
}

/** No program listens earlier than this, and asking costs the machine what the program needs. Milliseconds. */
const patience = { first: 25, next: 3, most: 60_000 };

async function firstAnswer(
  child: ChildProcess,
  ask: () => Promise<Answer>,
  began: number,
): Promise<Answer | undefined> {
  await sleep(patience.first);
  while (child.exitCode === null && performance.now() - began < patience.most) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    await sleep(patience.next);
  }
  return undefined;
}

async function stop(child: ChildProcess, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => {
    child.once("exit", resolve);
  });
  child.kill(signal);
  const cut = setTimeout(() => child.kill("SIGKILL"), 5000);
  await ended;
  clearTimeout(cut);
}

function memoryOf(child: ChildProcess): number {
  try {
    const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"));
    return Number(line?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
