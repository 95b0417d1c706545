import { expect, test } from "vitest";
import { kinds } from "../../lib/cluster/kinds.ts";
import { resyncEvent } from "../../lib/cloudevent.ts";
import { mockOf, postOf, referenceEvent } from "../support/builders.ts";
import { createStage, type Stage } from "../support/stage.ts";

const legacy = "finalizer.ingress.apirator.io";
const key = { namespace: "default", name: "bets" };
const event = resyncEvent(key, { id: "1", time: "2030-01-01T00:00:00Z" });

test("a request that is no CloudEvent is answered 400 with a problem", async () => {
  const stage = createStage();
  const answer = await stage.app.request("http://function/", { method: "POST", body: "{}" });
  expect(answer.status).toBe(400);
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(await answer.json()).toMatchObject({
    type: "https://apirator.io/problems/not-a-cloudevent",
    status: 400,
  });
});

test.for([
  { of: "another type", event: { ...event, type: "com.example.order" } },
  {
    of: "a kind that is not ours",
    event: referenceEvent({ apiVersion: "v1", kind: "Secret", ...key }),
  },
  { of: "a name that is none", event: { ...event, name: "../../etc" } },
])("an event of $of costs no call, and is done", async ({ event }) => {
  const stage = createStage();
  const answer = await stage.app.request(postOf(event));
  expect(answer.status).toBe(204);
  expect(await answer.text()).toBe("");
  expect(stage.calls).toEqual([]);
});

test("a mock that is not there is done, and nothing is written", async () => {
  const stage = createStage();
  expect(await stage.reconcile("bets")).toBe(204);
  expect(stage.ended("bets")).toEqual({ kind: "done", wrote: [] });
});

test("a mock that is being deleted is left to the garbage collector", async () => {
  const stage = createStage();
  const { metadata, ...rest } = mockOf("bets");
  await stage.user.apply({ ...rest, metadata: { ...metadata, finalizers: ["example.com/keep"] } });
  await stage.settle("bets");
  await stage.user.remove(kinds.apimock, key, {});
  await stage.reconcile("bets");
  expect(stage.ended("bets")).toEqual({ kind: "done", wrote: [] });
});

test.for([false, true])(
  "the Go operator's finalizer is removed and others stay (being deleted: %s)",
  async (deleted) => {
    const stage = createStage();
    const { metadata, ...rest } = mockOf("bets");
    const finalizers = ["example.com/keep", legacy];
    await stage.user.apply({ ...rest, metadata: { ...metadata, finalizers } });
    if (deleted) await stage.user.remove(kinds.apimock, key, {});
    expect(await stage.reconcile("bets")).toBe(204);
    expect((await stage.mock("bets"))?.metadata.finalizers).toEqual(["example.com/keep"]);
  },
);

test("a mock that only the Go operator's finalizer kept is gone", async () => {
  const stage = createStage();
  const { metadata, ...rest } = mockOf("bets");
  await stage.user.apply({ ...rest, metadata: { ...metadata, finalizers: [legacy] } });
  await stage.user.remove(kinds.apimock, key, {});
  expect(await stage.reconcile("bets")).toBe(204);
  expect(await stage.mock("bets")).toBeUndefined();
});

/** A stage whose first read waits until it is let go. */
function gated(): { stage: Stage; go: () => void; begun: () => number } {
  let go = (): void => {};
  let begun = 0;
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const stage = createStage({
    serving: false,
    around: (cluster) => ({
      ...cluster,
      get: async (kind, at) => {
        if (kind === kinds.kservice) {
          begun += 1;
          await gate;
        }
        return await cluster.get(kind, at);
      },
    }),
  });
  return { stage, go: () => go(), begun: () => begun };
}

const tick = async (): Promise<void> => await new Promise((resolve) => void setTimeout(resolve, 0));

test("events that come while a key is at work share one run that starts after them", async () => {
  const { stage, go, begun } = gated();
  const answers = Array.from({ length: 10 }, async () => await stage.app.request(postOf(event)));
  await tick();
  expect(begun()).toBe(1);
  go();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(10).fill(204));
  expect(begun()).toBe(2);
});

test("sixteen keys are at work at once, and over 500 waiting requests are sent away", async () => {
  const { stage, go, begun } = gated();
  const send = async (name: string): Promise<Response> =>
    await stage.app.request(
      postOf(resyncEvent({ ...key, name }, { id: "1", time: "2030-01-01T00:00:00Z" })),
    );
  const answers = Array.from({ length: 16 + 500 }, async (_, index) => await send(`mock-${index}`));
  await tick();
  expect(begun()).toBe(16);
  const refused = await send("one-more");
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("5");
  go();
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([204]));
});

test("a request that is older than 75 seconds is sent away", async () => {
  const { stage, go } = gated();
  const answer = Promise.resolve(stage.app.request(postOf(event)));
  await tick();
  stage.clock.move(75_000);
  expect((await answer).status).toBe(503);
  go();
  await tick();
});

test("health and metrics are answered", async () => {
  const stage = createStage();
  await stage.reconcile("bets");
  expect((await stage.app.request("/healthz")).status).toBe(204);
  const metrics = await stage.app.request("/metrics");
  expect(metrics.headers.get("content-type")).toContain("application/openmetrics-text");
  expect(await metrics.text()).toContain('apirator_reconciles_total{outcome="done"} 1');
});
