import { fingerprint, type SharedConfigMap } from "../../lib/applied.ts";
import type { APIMock, APIMockStatus } from "../../lib/apimock.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Cluster } from "../../lib/cluster/cluster.ts";
import { ClusterError } from "../../lib/cluster/errors.ts";
import { childrenOf, type Left } from "./children.ts";
import type { Choice } from "./choice.ts";
import { conflict } from "./conflict.ts";
import { eventsOf } from "./events.ts";
import type { Failure } from "./failure.ts";
import { failureOf, judgementOn } from "./failure.ts";
import type { Observation } from "./observation.ts";
import { workloadSeen } from "./observation.ts";
import type { Outcome } from "./outcome.ts";
import { heldStatusOf, isWritten, statusOf } from "./status.ts";
import { textOf } from "./text.ts";
import type { Verdict } from "./verdict.ts";

/** What reporting needs of a run. */
interface Run {
  readonly mock: APIMock;
  readonly seen: Observation;
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly build: string;
  readonly wrote: string[];
}

/** Writes the status where it says something new, tells what happened, and answers how the run ended. What will pass is tried again, and never shown. */
export async function report(
  run: Run,
  found: { verdict: Verdict; choice: Choice; left: Left; shared?: SharedConfigMap },
): Promise<Outcome> {
  const { mock, seen, build, wrote } = run;
  const { failures, kservice, corrected } = found.left;
  const passing = passingOf(failures, wrote);
  if (passing !== undefined) return passing;
  const workload = workloadSeen({ ...seen, ...(kservice ? { kservice } : {}) }, mock);
  const status = statusOf(mock, { ...found, workload, build }, timeOf(run.clock));
  return await write(run, status, corrected);
}

/** The same where the children could not be read because a right is missing: what is known of them stays. */
export async function reportDenied(run: Run, error: ClusterError): Promise<Outcome> {
  const judgement = judgementOn([failureOf("children", error)]);
  if (judgement === undefined) throw error;
  const status = heldStatusOf(run.mock, judgement, timeOf(run.clock));
  return await write(run, status, []);
}

/** The same where the runtime is none that is served: what ran before runs on. Its shared ConfigMap is read, so that only a change of it wakes the mock. */
export async function reportUnsupported(run: Run): Promise<Outcome> {
  const message = `spec.runtime ${run.mock.spec.runtime} is not served by this version; set it to Knative`;
  const judgement = { status: "False", reason: "RuntimeNotSupported", message } as const;
  const status = heldStatusOf(run.mock, judgement, timeOf(run.clock));
  const { shared } = await textOf(run.mock, run.cluster);
  const applied = fingerprint(childrenOf(run.mock, run.seen), shared);
  return await write(run, { ...status, build: run.build, applied }, []);
}

/** Answers the end of a run whose failures say nothing lasting, or undefined. Throws a conflict, for which the run is repeated. */
function passingOf(failures: readonly Failure[], wrote: readonly string[]): Outcome | undefined {
  const of = (kind: Failure["class"]): Failure | undefined =>
    failures.find((failure) => failure.class === kind);
  const changed = of("conflict");
  if (changed !== undefined) throw conflict(`apply ${changed.child}`, changed.detail);
  if (of("terminating") !== undefined) return { kind: "done", wrote };
  const again = of("again");
  if (again === undefined) return undefined;
  return { kind: "retry", why: `${again.child}: ${again.detail}`, wrote };
}

async function write(
  { mock, cluster, wrote }: Run,
  status: APIMockStatus,
  corrected: readonly string[],
): Promise<Outcome> {
  if (!isWritten(mock.status, status)) {
    const { apiVersion, kind, metadata } = mock;
    const { namespace, name, resourceVersion = "" } = metadata;
    await cluster.applyStatus({
      apiVersion,
      kind,
      metadata: { namespace, name, resourceVersion },
      status,
    });
    wrote.push("status");
  }
  for (const event of eventsOf(mock, status, corrected)) {
    try {
      await cluster.recordEvent(event);
    } catch (error) {
      // An Event is a courtesy; the status has been written.
      if (!(error instanceof ClusterError)) throw error;
    }
  }
  return { kind: "done", wrote };
}

/** RFC 3339 without fractions, as meta/v1 Time is written. */
function timeOf(clock: Clock): string {
  return `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
}
