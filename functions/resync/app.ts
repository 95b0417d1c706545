import type { Hono } from "hono";
import { ClusterError } from "../../lib/cluster/errors.ts";
import { createEventApp } from "../../lib/event-app.ts";
import type { Log } from "../../lib/log.ts";
import type { Metrics } from "../../lib/metrics.ts";
import { type Dependencies, resync } from "./resync.ts";

/** What the app is made of. */
export interface ResyncDependencies extends Dependencies {
  readonly log: Log;
  readonly metrics: Metrics;
}

/**
 * Answers the function `resync` as an app: `POST /` takes a CloudEvent of any type (400 for anything else); `{"all": true}` in its data asks for every
 * mock. Answers 204 when all is sent, 503 where the lists cannot be had. One resync of a sort at a time: who comes meanwhile shares it.
 */
export function createResyncApp(needs: ResyncDependencies): Hono {
  const { metrics, log } = needs;
  const running = new Map<boolean, Promise<boolean>>();
  const sent = metrics.counter({
    name: "apirator_resync_events",
    help: "Events that a resync sent, by whether they were taken.",
    labels: ["taken"],
  });

  const run = async (all: boolean): Promise<boolean> => {
    try {
      const { why, ...counts } = await resync(all, needs);
      sent.add(["true"], counts.taken);
      sent.add(["false"], counts.left);
      const waits = counts.postponed > 0 ? "info" : "debug";
      const level = counts.left > 0 ? "warn" : waits;
      log(level, "a resync has ended", { ...counts, ...why });
      return true;
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      log("warn", "a resync could not list", { error: error.message });
      return false;
    }
  };
  const shared = async (all: boolean): Promise<boolean> => {
    const result = running.get(all) ?? run(all).finally(() => running.delete(all));
    running.set(all, result);
    return await result;
  };

  return createEventApp(metrics, async ({ data }) =>
    (await shared(asksForAll(data)))
      ? { status: 204, headers: {} }
      : { status: 503, headers: { "Retry-After": "5" } },
  );
}

function asksForAll(data: unknown): boolean {
  return typeof data === "object" && data !== null && "all" in data && data.all === true;
}
