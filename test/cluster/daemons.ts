import { spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { inside, places } from "./places.ts";
import { run } from "./run.ts";

/** A program that runs as long as the cluster does. */
export interface Daemon {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The TCP ports that it will listen on: it is not started while somebody else does. */
  readonly ports?: readonly number[];
}

/** Answers when a process was started, in the kernel's ticks since boot: with its id the only safe name of a process; undefined where it has ended. */
function startOf(pid: number): string | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    return fields[0] === "Z" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** Answers the process id of a daemon that runs, undefined where it does not. A process id that someone else has since got is not it. */
export function pidOf(name: string): number | undefined {
  const record = join(places.processes, name);
  if (!existsSync(record)) return undefined;
  const [pid, start] = readFileSync(record, "utf8").trim().split(" ");
  return start !== undefined && startOf(Number(pid)) === start ? Number(pid) : undefined;
}

/** Answers the names of all daemons that were started and not stopped, whether they still run or not. */
export function daemonNames(): string[] {
  return existsSync(places.processes) ? readdirSync(places.processes) : [];
}

/** Answers which of these daemons does not run, as a reason to wait no longer; undefined where all do. */
export function whichEnded(...names: readonly string[]): string | undefined {
  const ended = names.find((name) => pidOf(name) === undefined);
  return ended && `${ended} has ended`;
}

/** Answers the last lines of a daemon's log. */
export function endOfLog(name: string, lines = 15): string {
  const path = join(places.logs, `${name}.log`);
  return existsSync(path)
    ? readFileSync(path, "utf8").trimEnd().split("\n").slice(-lines).join("\n")
    : "(no log)";
}

async function requireFree(port: number, name: string): Promise<void> {
  const listeners = await run(...inside("ss", ["-Hltnp", `sport = :${port}`]));
  if (listeners.trim() === "") return;
  const who = /users:\(\("([^"]+)",pid=(\d+)/.exec(listeners);
  throw new Error(
    `port ${port} of ${name} is in use by ${who === null ? "another program" : `${who[1]}, process ${who[2]}`}; npm run cluster -- down, then up again`,
  );
}

/** Starts a daemon inside the cluster's network unless it runs; its output goes to `logs/NAME.log`. It outlives this process. */
export async function startDaemon(daemon: Daemon): Promise<void> {
  if (pidOf(daemon.name) !== undefined) return;
  for (const port of daemon.ports ?? []) await requireFree(port, daemon.name);
  mkdirSync(places.logs, { recursive: true });
  mkdirSync(places.processes, { recursive: true });
  const log = openSync(join(places.logs, `${daemon.name}.log`), "a");
  const [command, args] = inside(daemon.command, daemon.args);
  // nsenter executes the program in its own place, so that this process id is the program's.
  const child = spawn(command, args, {
    detached: true,
    stdio: ["ignore", log, log],
    cwd: daemon.cwd ?? "/",
    env: {
      PATH: process.env["PATH"] ?? "/usr/sbin:/usr/bin:/sbin:/bin",
      HOME: "/root",
      ...daemon.env,
    },
  });
  closeSync(log);
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
  child.unref();
  if (child.pid === undefined) throw new Error(`${daemon.name}: ${daemon.command} did not start`);
  writeFileSync(join(places.processes, daemon.name), `${child.pid} ${startOf(child.pid)}\n`);
}

/** Stops a daemon: politely, after `seconds` with force; what it was is forgotten. Does nothing where it does not run. */
export async function stopDaemon(name: string, seconds = 10): Promise<void> {
  const end = Date.now() + seconds * 1000;
  let signal: NodeJS.Signals = "SIGTERM";
  for (let pid = pidOf(name), sent = false; pid !== undefined; pid = pidOf(name)) {
    if (!sent || signal === "SIGKILL") {
      try {
        process.kill(pid, signal);
      } catch {} // It ended in between.
      sent = true;
    }
    await new Promise((wake) => setTimeout(wake, 50));
    if (Date.now() > end) signal = "SIGKILL";
  }
  rmSync(join(places.processes, name), { force: true });
}
