import { expect, test } from "vitest";
import { deliver } from "../../functions/resync/delivery.ts";
import { testClock } from "../support/stage.ts";

const keys = Array.from({ length: 100 }, (_, index) => ({
  namespace: "default",
  name: `m-${index}`,
}));
const tick = async (): Promise<void> => await new Promise((resolve) => void setTimeout(resolve, 0));

/** Moves time until the delivery has ended. */
async function ended<Result>(
  delivery: Promise<Result>,
  clock: ReturnType<typeof testClock>,
): Promise<Result> {
  const state = { done: false };
  const result = delivery.finally(() => {
    state.done = true;
  });
  for (let turn = 0; turn < 1000 && !state.done; turn += 1) {
    await tick();
    clock.move(1000);
  }
  return await result;
}

test("sixteen are under way at once, and each key is sent once", async () => {
  const clock = testClock();
  const sent: string[] = [];
  let inFlight = 0;
  let most = 0;
  const delivery = deliver(
    keys,
    async ({ name }) => {
      sent.push(name);
      most = Math.max(most, (inFlight += 1));
      await tick();
      inFlight -= 1;
      return 204;
    },
    { clock, deadline: clock.now() + 240_000 },
  );
  expect(await ended(delivery, clock)).toEqual({ taken: 100, left: 0 });
  expect(most).toBe(16);
  expect(sent).toEqual(keys.map(({ name }) => name));
});

test("after a 503 fewer are under way, and the key comes again", async () => {
  const clock = testClock();
  let busy = true;
  let inFlight = 0;
  const seen: number[] = [];
  const delivery = deliver(
    keys,
    async () => {
      inFlight += 1;
      await tick();
      if (!busy) seen.push(inFlight);
      const status = busy ? 503 : 204;
      inFlight -= 1;
      return status;
    },
    { clock, deadline: clock.now() + 240_000 },
  );
  await tick();
  await tick();
  busy = false;
  expect(await ended(delivery, clock)).toEqual({ taken: 100, left: 0 });
  expect(seen[0]).toBeLessThan(16);
});

test("a key that is refused three times is left to the next resync, at once where the answer is final", async () => {
  const clock = testClock();
  const tries: Record<string, number> = {};
  const statuses: Record<string, number> = {
    "m-0": 503,
    "m-1": 400,
    "m-2": 0,
    "m-3": 502,
    "m-4": 504,
  };
  const delivery = deliver(
    keys,
    async ({ name }) => {
      tries[name] = (tries[name] ?? 0) + 1;
      return statuses[name] ?? 204;
    },
    { clock, deadline: clock.now() + 240_000 },
  );
  expect(await ended(delivery, clock)).toEqual({ taken: 95, left: 5 });
  expect(keys.slice(0, 5).map(({ name }) => tries[name])).toEqual([3, 1, 3, 3, 3]);
});

test("nothing is sent after the deadline", async () => {
  const clock = testClock();
  const sent: number[] = [];
  const delivery = deliver(
    keys,
    async () => {
      sent.push(clock.now());
      clock.move(60_000);
      return 503;
    },
    { clock, deadline: clock.now() + 240_000 },
  );
  const { taken, left } = await ended(delivery, clock);
  expect([taken, left]).toEqual([0, 100]);
  expect(sent.length).toBeLessThanOrEqual(16);
});
