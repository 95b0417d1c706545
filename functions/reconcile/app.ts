import type { Hono } from "hono";
import type { Clock } from "../../lib/clock.ts";
import { keyOf, type Subject } from "../../lib/cloudevent.ts";
import { ClusterError } from "../../lib/cluster/errors.ts";
import { createEventApp } from "../../lib/event-app.ts";
import type { Log } from "../../lib/log.ts";
import type { Metrics } from "../../lib/metrics.ts";
import { type Key, keyText } from "../../lib/names.ts";
import { createCoalescer } from "./coalesce.ts";
import { answerOf, type Outcome } from "./outcome.ts";
import type { Dependencies } from "./reconcile.ts";
import { runOf } from "./run.ts";
import { mocksWithDefinition } from "./shared.ts";

/** Keys at work, and callers that may wait, in one process. */
const bounds = { working: 16, waiting: 500 };

/** Milliseconds after which a request is answered that it should come again. */
const oldest = 75_000;

/** What the app is made of. */
export interface ReconcileDependencies extends Dependencies {
  readonly log: Log;
  readonly metrics: Metrics;
  /** Called with each run's end: for a replay's report and the page of the command line. */
  readonly ended?: (key: Key, outcome: Outcome) => void;
}

/**
 * Answers the function `reconcile` as an app: `POST /` takes a CloudEvent (400 for anything else) and answers when a run that started after it has
 * ended: 204 without a body, or 503 with Retry-After. `GET /healthz`, `GET /metrics`.
 */
export function createReconcileApp(needs: ReconcileDependencies): Hono {
  const { clock, metrics, log } = needs;
  const runs = metrics.counter({
    name: "apirator_reconciles",
    help: "Reconciles by how they ended.",
    labels: ["outcome"],
  });
  const coalescer = createCoalescer(async (key) => {
    const outcome = await runOf(key, needs);
    runs.add([outcome.kind]);
    if (outcome.kind === "retry")
      log("warn", "a reconcile will be tried again", { key: keyText(key), why: outcome.why });
    needs.ended?.(key, outcome);
    return outcome;
  }, bounds);
  metrics.gauge(
    { name: "apirator_reconcile_waiting", help: "Requests that wait for a run to begin." },
    () => coalescer.waiting(),
  );

  const settle = async (subject: Subject): Promise<Outcome> => {
    const keys = await keysOf(subject, needs);
    if ("kind" in keys) return keys;
    const outcomes = await Promise.all(keys.map(async (key) => (await coalescer.run(key)) ?? busy));
    return outcomes.find(({ kind }) => kind === "retry") ?? outcomes[0] ?? nothing;
  };

  return createEventApp(metrics, async (event) => {
    const subject = keyOf(event);
    return answerOf(subject === undefined ? nothing : await inTime(settle(subject), clock));
  });
}

const nothing: Outcome = { kind: "done", wrote: [] };
const busy: Outcome = { kind: "retry", why: "too many events are waiting", wrote: [] };
const late: Outcome = { kind: "retry", why: "the request waited too long", wrote: [] };

/** Answers the keys that the subject means, or how it ends where they cannot be found out. */
async function keysOf(
  subject: Subject,
  { cluster, log }: ReconcileDependencies,
): Promise<readonly Key[] | Outcome> {
  if (subject.kind === "mock") return [{ namespace: subject.namespace, name: subject.name }];
  try {
    return await mocksWithDefinition(subject, cluster);
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    if (error.class === "again") return { kind: "retry", why: error.message, wrote: [] };
    log("error", "a call to the API server was refused", { error: error.message });
    return nothing;
  }
}

/** Answers the outcome, or that it took too long; the run goes on, and its result is found by the next request. */
async function inTime(outcome: Promise<Outcome>, clock: Clock): Promise<Outcome> {
  let takeBack = (): void => {};
  const tooLate = new Promise<Outcome>((resolve) => {
    takeBack = clock.after(oldest, () => resolve(late));
  });
  try {
    return await Promise.race([outcome, tooLate]);
  } finally {
    takeBack();
  }
}
