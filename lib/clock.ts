/** Time as an argument, so that what depends on it can be tested without waiting. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after the milliseconds; answers a function that takes the call back. */
  after(milliseconds: number, call: () => void): () => void;
}

/** Answers a clock that takes its time from `now`, such as `Date.now`, and Node's timers. */
export function clockOf(now: () => number): Clock {
  return {
    now,
    after: (milliseconds, call) => {
      const timer = setTimeout(call, milliseconds);
      return () => clearTimeout(timer);
    },
  };
}

/** Answers a promise that is kept after the milliseconds. */
export async function sleep(clock: Clock, milliseconds: number): Promise<void> {
  await new Promise<void>((resolve) => {
    clock.after(milliseconds, resolve);
  });
}
