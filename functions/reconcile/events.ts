import type { APIMock, APIMockStatus } from "../../lib/apimock.ts";
import type { EventNote } from "../../lib/cluster/cluster.ts";
import { conditionOf } from "./conditions.ts";

/**
 * Answers the Kubernetes Events that a run is worth: one where Ready's status or reason changed, one for each child that somebody had changed and that
 * is right again. Nothing else, so that `kubectl describe` tells what happened and not what is.
 */
export function eventsOf(
  mock: APIMock,
  status: APIMockStatus,
  corrected: readonly string[],
): EventNote[] {
  const before = conditionOf(mock.status?.conditions, "Ready");
  const after = conditionOf(status.conditions, "Ready");
  const drift = corrected.map((child): EventNote => ({
    about: mock,
    type: "Normal",
    reason: "DriftCorrected",
    note: `${child} had been changed or removed, and is as desired again`,
  }));
  if (after === undefined) return drift;
  if (before?.status === after.status && before.reason === after.reason) return drift;
  const { reason, message } = after;
  const type = after.status === "False" ? "Warning" : "Normal";
  return [...drift, { about: mock, type, reason, note: message }];
}
