import { readFileSync } from "node:fs";

import { textLimit } from "../compiled/limits.ts";
import { sha256 } from "../hash.ts";
import { startChild } from "./child.ts";
import type { Child, Limits } from "./child.ts";
import type { Compilation, Compiler } from "./compilation.ts";

/** Where the compiler's process starts, and what it may cost. */
export interface CompilerOptions extends Partial<Limits> {
  /** File that the process starts from: `dist/compile.cjs`, or `lib/compiler/main.ts` in the source tree. */
  readonly entry: string;
  /** Changes whenever the same text may compile to something else; a hash of the entry file where it is left out. */
  readonly version?: string;
  /** Compiles at work at the same time; others wait. */
  readonly concurrency?: number;
}

/**
 * Answers a compiler that works in processes of its own, so that no definition can stop, fill or read this one. A process is kept for reuse and
 * replaced when it hit a limit or died. An idle one never keeps the parent alive.
 */
export function createCompiler(options: CompilerOptions): Compiler {
  const { entry, heapMiB = 384, cpuMs = 5000, wallMs = 25_000, concurrency = 2 } = options;
  const idle: Child[] = [];
  const busy = new Set<Child>();
  const waiting: (() => void)[] = [];
  let working = 0;
  let closed = false;
  let version: string | undefined;

  async function compile(text: string): Promise<Compilation> {
    if (closed) throw new Error("the compiler is closed");
    if (text.length > textLimit) return tooLarge(text.length);
    if (working >= concurrency) await new Promise<void>((resolve) => void waiting.push(resolve));
    else working += 1;
    const child = reusable() ?? startChild(entry, { heapMiB, cpuMs, wallMs });
    busy.add(child);
    try {
      return await child.compile(text);
    } finally {
      busy.delete(child);
      keep(child);
      // The next in line takes over this place, so that nobody slips in between.
      const next = waiting.shift();
      if (next === undefined) working -= 1;
      else next();
    }
  }

  function reusable(): Child | undefined {
    for (let child = idle.pop(); child !== undefined; child = idle.pop()) {
      if (child.isAlive()) return child;
    }
    return undefined;
  }

  function keep(child: Child): void {
    const wanted = idle.length === 0 || idle.length < waiting.length;
    if (!closed && child.isAlive() && wanted) idle.push(child);
    else void child.end();
  }

  return {
    get version() {
      return (version ??= options.version ?? sha256(readFileSync(entry)).slice(0, 10));
    },
    compile,
    close: async () => {
      closed = true;
      await Promise.all([...idle.splice(0), ...busy].map((child) => child.end()));
    },
  };
}

function tooLarge(length: number): Compilation {
  const message = `${length} characters; at most ${textLimit} are read`;
  const finding = {
    severity: "error",
    code: "too-large",
    message,
    line: 0,
    column: 0,
    pointer: "",
  } as const;
  return { kind: "refused", findings: [finding], counts: { error: 1, warning: 0, hint: 0 } };
}
