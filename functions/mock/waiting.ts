/** Work that waits only where there is something to wait for: it yields promises, and goes on with what they are kept with. */
export type Waiting<Value> = Generator<Promise<unknown>, Value, unknown>;

/** Answers the value, waited for where it is a promise: `yield* wait(value)` stands where an async function has `await value`. */
export function* wait<Value>(value: Value | Promise<Value>): Waiting<Value> {
  return value instanceof Promise ? ((yield value) as Value) : value;
}

/**
 * Does the work: its value at once where nothing was waited for, else a promise of it. Most requests are answered at once, and each
 * `await` of theirs would cost a turn of the queue. Throws, or rejects, as the work does.
 */
export function finish<Value>(work: Waiting<Value>): Value | Promise<Value> {
  return goOn(work, work.next());
}

function goOn<Value>(
  work: Waiting<Value>,
  step: IteratorResult<Promise<unknown>, Value>,
): Value | Promise<Value> {
  if (step.done === true) return step.value;
  return step.value.then(
    (value) => goOn(work, work.next(value)),
    (error: unknown) => goOn(work, work.throw(error)),
  );
}
