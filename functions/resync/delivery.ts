import { type Clock, sleep } from "../../lib/clock.ts";
import type { Key } from "../../lib/names.ts";

/** Events under way at the same time, at most. */
const mostInFlight = 16;

/** Times that one mock is tried; the next resync comes in minutes. */
const mostTries = 3;

/** Milliseconds before something is sent again that was refused for now; what the answer's Retry-After says. */
const pause = 5_000;

/** Answers that say "not now": no answer at all, and those that an ingress or Knative gives for a function that is starting, ending or full. */
const passing: ReadonlySet<number> = new Set([0, 429, 502, 503, 504]);

/** How a delivery ended: how many were taken, and how many were not. */
export interface Delivered {
  readonly taken: number;
  readonly left: number;
}

/**
 * Sends each key in the order given. `send` answers the HTTP status, 0 where no answer came. After a 503, or the like, fewer are under way at the same time, and the
 * key comes again later; after a success one more. Sends nothing after the deadline (milliseconds of the clock).
 */
export async function deliver<Each extends Key>(
  keys: readonly Each[],
  send: (key: Each) => Promise<number>,
  by: { clock: Clock; deadline: number },
): Promise<Delivered> {
  const { clock, deadline } = by;
  const queue = keys.map((key) => ({ key, tries: 0 }));
  let limit = mostInFlight;
  let inFlight = 0;
  let taken = 0;

  const one = async (entry: { key: Each; tries: number }): Promise<void> => {
    entry.tries += 1;
    const status = await send(entry.key);
    if (status >= 200 && status < 300) {
      taken += 1;
      limit = Math.min(limit + 1, mostInFlight);
      return;
    }
    if (!passing.has(status)) return;
    limit = Math.max(1, Math.floor(limit / 2));
    if (entry.tries < mostTries) queue.push(entry);
    // It keeps its place for the pause, so that a busy function is left alone.
    await sleep(clock, pause);
  };

  await new Promise<void>((resolve) => {
    const next = (): void => {
      while (inFlight < limit && clock.now() < deadline) {
        const entry = queue.shift();
        if (entry === undefined) break;
        inFlight += 1;
        void one(entry).finally(() => {
          inFlight -= 1;
          next();
        });
      }
      if (inFlight === 0) resolve();
    };
    next();
  });
  return { taken, left: keys.length - taken };
}
