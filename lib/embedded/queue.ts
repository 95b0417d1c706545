import type { Key } from "../names.ts";
import { keyText } from "../names.ts";

/** Work by key, as a controller's queue does it: one run of a key at a time, and one more after it for all that came meanwhile. */
export interface Queue {
  add(key: Key): void;
  /** Resolves when nothing runs or waits. */
  settled(): Promise<void>;
}

/** Answers a queue over `work`. A run that fails is told to `failed` and not repeated until its key is added again. */
export function createQueue(
  work: (key: Key) => Promise<void>,
  failed: (key: Key, error: unknown) => void,
): Queue {
  const again = new Set<string>();
  const runs = new Map<string, Promise<void>>();

  async function run(key: Key): Promise<void> {
    const text = keyText(key);
    do {
      again.delete(text);
      // Later changes of the same turn join this run.
      await Promise.resolve();
      await work(key).catch((error: unknown) => {
        failed(key, error);
      });
    } while (again.has(text));
    runs.delete(text);
  }

  return {
    add(key) {
      const text = keyText(key);
      again.add(text);
      if (!runs.has(text)) runs.set(text, run(key));
    },
    async settled() {
      while (runs.size > 0) await Promise.all(runs.values());
    },
  };
}
