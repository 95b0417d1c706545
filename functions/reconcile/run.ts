import { ClusterError } from "../../lib/cluster/errors.ts";
import type { Key } from "../../lib/names.ts";
import { keyText } from "../../lib/names.ts";
import type { Log } from "../../lib/log.ts";
import { withDeadline } from "./deadline.ts";
import type { Outcome } from "./outcome.ts";
import { type Dependencies, reconcile } from "./reconcile.ts";

/** Milliseconds that a run may take. */
const runTime = 30_000;

/**
 * Reconciles the key, once more where somebody wrote in between (409), and answers how it ended. Never throws: what cannot be settled now is a
 * `retry`, what the installation lacks is `done` and in the log.
 */
export async function runOf(
  key: Key,
  needs: Dependencies & { readonly log: Log },
): Promise<Outcome> {
  const wrote: string[] = [];
  const cluster = withDeadline(needs.cluster, needs.clock, runTime);
  const once = async (): Promise<Outcome> => await reconcile(key, { ...needs, cluster }, wrote);
  try {
    try {
      return await once();
    } catch (error) {
      if (error instanceof ClusterError && error.isConflict) return await once();
      throw error;
    }
  } catch (error) {
    return endedBy(error, { key, wrote, log: needs.log });
  }
}

function endedBy(error: unknown, run: { key: Key; wrote: string[]; log: Log }): Outcome {
  const { wrote, log } = run;
  const fields = { key: keyText(run.key), error: String(error) };
  if (!(error instanceof ClusterError)) {
    log("error", "a reconcile failed", fields);
    return { kind: "retry", why: String(error), wrote };
  }
  if (error.class === "again") return { kind: "retry", why: error.message, wrote };
  // The resync comes again; a Broker's five redeliveries would change nothing.
  if (error.class !== "terminating") log("error", "a call to the API server was refused", fields);
  return { kind: "done", wrote };
}
