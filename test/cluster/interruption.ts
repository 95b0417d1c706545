/** Ctrl-C or SIGTERM came while something was under way. */
export class Interrupted extends Error {
  constructor() {
    super("interrupted");
  }
}

/** Answers a promise that is rejected with `Interrupted` at Ctrl-C or SIGTERM, which no longer end this process by themselves until `stop` is called. */
export function onInterruption(): { readonly comes: Promise<never>; readonly stop: () => void } {
  const { promise: comes, reject } = Promise.withResolvers<never>();
  const listener = () => reject(new Interrupted());
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.on(signal, listener);
  return {
    comes,
    stop: () => {
      for (const signal of signals) process.off(signal, listener);
    },
  };
}
