import { Interrupted } from "./interruption.ts";

/** Ends this process with the exit code that a command answers; with its error in one line and 1 where it throws, 130 where that is `Interrupted`. */
export async function exitWith(command: Promise<number>): Promise<never> {
  // Not only the exit code is set: after a step of `up` has failed, others that began beside it may still be waiting for something.
  try {
    process.exit(await command);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(error instanceof Interrupted ? 130 : 1);
  }
}
