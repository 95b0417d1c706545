/** Levels, least first. `info` is for what an operator of the cluster acts on or looks for; nearly nothing is. */
export type Level = "debug" | "info" | "warn" | "error";

/** Writes one event of a program's life: a stable message, and fields that vary. Never secrets, never definitions. */
export type Log = (
  level: Level,
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void;

const order: Record<Level, number> = { debug: 0, info: 1, warn: 2, error: 3 };

/** Answers a log that writes JSON lines `{time, level, message, …fields}` of at least the level given. */
export function jsonLog(
  write: (line: string) => void,
  least: Level = "info",
  now = () => new Date(),
): Log {
  return (level, message, fields = {}) => {
    if (order[level] < order[least]) return;
    write(`${JSON.stringify({ time: now().toISOString(), level, message, ...fields })}\n`);
  };
}

/** A log that says nothing. */
export const noLog: Log = () => {};
