import { spawn } from "node:child_process";

/** Tells a person what is being done: one line. */
export type Say = (line: string) => void;

/** What a command is run with beside its arguments. */
export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
}

/** Runs a command to its end and answers its standard output. Throws where it fails: what was run, and the end of what it said. */
export function run(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    const out: Buffer[] = [];
    let errors = "";
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on(
      "data",
      (chunk: Buffer) => (errors = `${errors}${chunk.toString("utf8")}`.slice(-4000)),
    );
    child.stdin.on("error", () => {}); // A command that ends before it has read everything says why by its exit code.
    child.on("error", (error) => reject(new Error(`${command}: ${error.message}`)));
    child.on("close", (code, signal) => {
      const text = Buffer.concat(out).toString("utf8");
      if (code === 0) resolve(text);
      else
        reject(
          new Error(
            `${[command, ...args].join(" ").slice(0, 200)}: ${signal ?? `exit ${code}`}: ${(errors || text).trim().slice(-2000)}`,
          ),
        );
    });
    child.stdin.end(options.input ?? "");
  });
}

/**
 * Answers what `check` answers as soon as that is not undefined; throws after `seconds`, with what is waited for and the last error, or at once
 * when `hopeless` gives a reason.
 */
export async function eventually<T>(
  what: string,
  seconds: number,
  check: () => Promise<T | undefined>,
  hopeless: () => string | undefined = () => undefined,
): Promise<T> {
  const end = Date.now() + seconds * 1000;
  let last = "";
  for (;;) {
    try {
      const answer = await check();
      if (answer !== undefined) return answer;
    } catch (error) {
      last = `: ${error instanceof Error ? error.message : String(error)}`;
    }
    const reason = hopeless();
    if (reason !== undefined) throw new Error(`${what}: ${reason}`);
    if (Date.now() > end) throw new Error(`${what}: not after ${seconds} s${last}`);
    await new Promise((wake) => setTimeout(wake, 200));
  }
}
