import type { Key } from "../../lib/names.ts";
import { keyText } from "../../lib/names.ts";

/** Bounds of the work in one process. */
export interface Bounds {
  /** Keys at work at the same time. */
  readonly working: number;
  /** Callers that may wait for a run that has not begun. */
  readonly waiting: number;
}

/** Runs of keys. */
export interface Coalescer<Result> {
  /**
   * Answers the result of a run of the key that starts after this call, shared with whoever else waits for it; undefined where too many wait. One
   * run per key at a time.
   */
  run(key: Key): Promise<Result> | undefined;
  /** Callers that wait for a run that has not begun. */
  waiting(): number;
}

/** A run that has not begun, and those that wait for it. */
interface Waiting<Result> {
  readonly key: Key;
  readonly result: Promise<Result>;
  readonly begin: () => void;
  callers: number;
}

/** Answers a coalescer over `work`, which must not throw. Keys begin in the order in which they came. */
export function createCoalescer<Result>(
  work: (key: Key) => Promise<Result>,
  bounds: Bounds,
): Coalescer<Result> {
  const queue = new Map<string, Waiting<Result>>();
  const atWork = new Set<string>();
  const waiting = (): number => [...queue.values()].reduce((sum, { callers }) => sum + callers, 0);

  const next = (): void => {
    for (const [name, entry] of queue) {
      if (atWork.size >= bounds.working) return;
      if (atWork.has(name)) continue;
      queue.delete(name);
      atWork.add(name);
      entry.begin();
    }
  };

  const enqueue = (name: string, key: Key): Waiting<Result> => {
    let begin = (): void => {};
    const result = new Promise<void>((resolve) => {
      begin = resolve;
    })
      .then(async () => await work(key))
      .finally(() => {
        atWork.delete(name);
        next();
      });
    const entry = { key, result, begin: () => begin(), callers: 0 };
    queue.set(name, entry);
    return entry;
  };

  return {
    waiting,
    run(key) {
      if (waiting() >= bounds.waiting) return undefined;
      const name = keyText(key);
      const entry = queue.get(name) ?? enqueue(name, key);
      entry.callers += 1;
      next();
      return entry.result;
    },
  };
}
