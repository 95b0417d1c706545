import type { KubeObject, ObjectMeta } from "../../lib/cluster/cluster.ts";
import { mountedBy, revisionsInUse } from "./workload.ts";

/** How long a Revision must have been out of traffic. */
const restMinutes = 10;

/** How many of the Revisions at rest stay for a look back. */
const keptRevisions = 2;

/** How old a ConfigMap must be: another process may just have made it and not mounted it yet. */
const freshSeconds = 60;

const routingState = "serving.knative.dev/routingState";
const routingStateModified = "serving.knative.dev/routingStateModified";
const generation = "serving.knative.dev/configurationGeneration";

/**
 * Answers the Revisions that may go: in no traffic, neither latest created nor latest ready, at rest for over ten minutes, and not among the two
 * newest of those. Never by age alone: after failed roll-outs the Revision that serves is not among the newest.
 */
export function revisionsToRemove(
  kservice: KubeObject,
  revisions: readonly KubeObject[],
  now: number,
): KubeObject[] {
  const inUse = revisionsInUse(kservice);
  return revisions
    .filter(({ metadata }) => !inUse.has(metadata.name) && atRest(metadata, now))
    .toSorted((a, b) => generationOf(b) - generationOf(a))
    .slice(keptRevisions);
}

/** Answers the ConfigMaps that may go: not fresh, not among those that are kept, and mounted by nothing that was seen. */
export function configMapsToRemove(
  ours: readonly ObjectMeta[],
  by: { mounting: readonly KubeObject[]; keep: ReadonlySet<string>; now: number },
): ObjectMeta[] {
  const mounted = new Set(by.mounting.map(podOf).map(mountedBy));
  return ours.filter(
    ({ name, creationTimestamp = "" }) =>
      !mounted.has(name) &&
      !by.keep.has(name) &&
      by.now - Date.parse(creationTimestamp) > freshSeconds * 1000,
  );
}

/** A Revision's spec is a pod's; a KService has a template of one. */
function podOf({ spec }: KubeObject): unknown {
  const { template } = (spec ?? {}) as { template?: { spec?: unknown } };
  return template === undefined ? spec : template.spec;
}

function atRest({ labels, annotations }: ObjectMeta, now: number): boolean {
  if (labels?.[routingState] !== "reserve") return false;
  const since = Date.parse(annotations?.[routingStateModified] ?? "");
  return now - since > restMinutes * 60_000;
}

function generationOf({ metadata }: KubeObject): number {
  return Number(metadata.labels?.[generation] ?? 0);
}
