import { fork } from "node:child_process";

import type { Finding, FindingCode } from "../finding.ts";
import type { Compilation } from "./compilation.ts";
import { cpuTimeOf } from "./cpu.ts";
import type { FromChild, ToChild } from "./messages.ts";

/** What one compile may cost. */
export interface Limits {
  /** MiB of JavaScript heap. */
  readonly heapMiB: number;
  /** Milliseconds of CPU time, where the system tells it. */
  readonly cpuMs: number;
  /** Milliseconds by the clock, whatever the CPU does. */
  readonly wallMs: number;
}

/** A compiler process. It works on one text at a time. */
export interface Child {
  /** Answers what the text compiled to. Rejects only where the process could not start. After a limit was hit the child is dead. */
  readonly compile: (text: string) => Promise<Compilation>;
  readonly isAlive: () => boolean;
  /** Ends the process; resolves when it is gone. */
  readonly end: () => Promise<void>;
}

const pollMs = 100;

/** Starts a compiler process from `entry`. It inherits no environment, and keeps the parent alive only while it works. */
export function startChild(entry: string, limits: Limits): Child {
  const child = fork(entry, [], {
    execArgv: [`--max-old-space-size=${limits.heapMiB}`],
    env: {},
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const exited = new Promise<Ended>((resolve) => {
    child.once("error", ({ message }) => resolve({ kind: "ended", code: null, reason: message }));
    child.once("exit", (code) => resolve({ kind: "ended", code }));
  });
  let complaint = "";
  child.stderr?.on(
    "data",
    (chunk: Buffer) => (complaint = `${complaint}${chunk.toString()}`.slice(-2000)),
  );
  let ready = false;
  let alive = true;
  void exited.then(() => (alive = false));
  child.once("message", () => (ready = true));
  const hold = (held: boolean): void => {
    for (const handle of [child, child.channel, child.stderr as unknown as Holdable | null]) {
      if (held) handle?.ref();
      else handle?.unref();
    }
  };
  hold(false);
  let jobs = 0;

  async function compile(text: string): Promise<Compilation> {
    hold(true);
    const job = (jobs += 1);
    const answer = new Promise<Compilation>((resolve) => {
      const listen = (message: FromChild): void => {
        if (message === "ready" || message.job !== job) return;
        child.off("message", listen);
        resolve(message.compilation);
      };
      child.on("message", listen);
    });
    const watch = watchLimits(child.pid ?? 0, limits);
    child.send({ job, text } satisfies ToChild, () => undefined);
    const first = await Promise.race([answer, watch.exceeded, exited]);
    watch.stop();
    hold(false);
    if (first.kind === "timeout") await end();
    if (first.kind !== "ended") return first;
    if (ready) return deathOf(first);
    throw new Error(`the compiler process did not start: ${first.reason ?? lastLine(complaint)}`);
  }

  async function end(): Promise<void> {
    alive = false;
    // Who waits for the end must live to see it.
    hold(true);
    child.kill("SIGKILL");
    await exited;
  }

  return { compile, isAlive: () => alive, end };
}

interface Holdable {
  ref(): void;
  unref(): void;
}

interface Ended {
  readonly kind: "ended";
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly reason?: string;
}

/** Watches from outside: a blocked event loop cannot be asked. */
function watchLimits(pid: number, { cpuMs, wallMs }: Limits) {
  const before = cpuTimeOf(pid) ?? 0;
  const until = performance.now() + wallMs;
  const { promise: exceeded, resolve } = Promise.withResolvers<Compilation>();
  const timer = setInterval(() => {
    const used = (cpuTimeOf(pid) ?? before) - before;
    const limit = used > cpuMs ? `${cpuMs / 1000} s of CPU time` : `${wallMs / 1000} s`;
    if (used <= cpuMs && performance.now() <= until) return;
    resolve({ kind: "timeout", message: `compiling took more than ${limit}` });
  }, pollMs);
  return { exceeded, stop: () => clearInterval(timer) };
}

/** V8 aborts where its heap is full and traps where one object is too large, the kernel kills where memory ends: signals all. */
function deathOf({ code }: Ended): Compilation {
  if (code === null || code > 128) {
    const advice = "make the definition smaller, or split it";
    return refusal("too-much-memory", `compiling needs more memory than it may have; ${advice}`);
  }
  return refusal("compiler-fault", `the compiler ended with ${code}; please report it`);
}

function refusal(code: FindingCode, message: string): Compilation {
  const finding: Finding = { severity: "error", code, message, line: 0, column: 0, pointer: "" };
  return { kind: "refused", findings: [finding], counts: { error: 1, warning: 0, hint: 0 } };
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
