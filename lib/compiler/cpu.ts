import { readFileSync } from "node:fs";

/** Linux counts in hundredths of a second on every platform that Node runs on (USER_HZ). */
const millisecondsPerTick = 10;

/** Answers how much CPU time a process has used, all its threads, in milliseconds; undefined where the system does not tell (no `/proc`). */
export function cpuTimeOf(pid: number): number | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // The name of the program, in brackets, may hold spaces and brackets (proc_pid_stat(5)).
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isFinite(ticks) ? ticks * millisecondsPerTick : undefined;
}
