import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createCoalescer } from "../../functions/reconcile/coalesce.ts";
import type { Key } from "../../lib/names.ts";

const key = (name: string): Key => ({ namespace: "default", name });

test("every call is answered by a run that started after it, keys never overlap, and at most two are at work", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 30 }),
      async (scheduler, names) => {
        let time = 0;
        const atWork: string[] = [];
        const coalescer = createCoalescer(
          async ({ name }) => {
            const started = (time += 1);
            expect(atWork).not.toContain(name);
            atWork.push(name);
            expect(atWork.length).toBeLessThanOrEqual(2);
            await scheduler.schedule(Promise.resolve(), name);
            atWork.splice(atWork.indexOf(name), 1);
            return started;
          },
          { working: 2, waiting: 100 },
        );
        const answers = names.map(async (name) => {
          await scheduler.schedule(Promise.resolve(), "call");
          const asked = (time += 1);
          expect(await coalescer.run(key(name))).toBeGreaterThan(asked);
        });
        await scheduler.waitFor(Promise.all(answers));
        expect(coalescer.waiting()).toBe(0);
      },
    ),
    { numRuns: 200 },
  );
});

test("who comes when too many wait is sent away, and those who wait are served", async () => {
  let go = (): void => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const coalescer = createCoalescer(async ({ name }) => await gate.then(() => name), {
    working: 1,
    waiting: 2,
  });
  const served = ["a", "b", "b"].map(async (name) => await coalescer.run(key(name)));
  expect(coalescer.run(key("c"))).toBeUndefined();
  go();
  expect(await Promise.all(served)).toEqual(["a", "b", "b"]);
});
