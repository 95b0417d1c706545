import type { JsonPatch, KubeObject } from "../cluster/cluster.ts";
import type { Judgement, WorkloadCondition } from "./conditions.ts";
import { conditionStatus, conditionsOf, timed } from "./conditions.ts";
import { generationOf, serving, trafficOf } from "./knative.ts";

/** How the start of a Revision's pod went: `undefined` where it is up, else which condition fails and why. */
export type Failure =
  | { readonly condition: "ContainerHealthy" | "ResourcesAvailable"; readonly message: string }
  | undefined;

/** Answers the status of a Revision whose pod was started once (Knative starts each new one, `initial-scale` 1). `at` is RFC 3339. */
export function revisionStatus(revision: KubeObject, failure: Failure, at: string): object {
  const bad: Judgement | undefined = failure && {
    type: failure.condition,
    status: "False",
    reason: failure.condition === "ContainerHealthy" ? "ExitCode1" : "ProgressDeadlineExceeded",
    message: failure.message,
  };
  const parts = ["ContainerHealthy", "ResourcesAvailable"].map((type): Judgement =>
    bad?.type === type ? bad : { type, status: "True" },
  );
  const ready: Judgement = bad ? { ...bad, type: "Ready" } : { type: "Ready", status: "True" };
  return {
    observedGeneration: revision.metadata.generation ?? 1,
    conditions: timed([ready, ...parts], conditionsOf(revision["status"]), at),
  };
}

/** What is known of a KService: its Revisions, the newest of which may still be starting. */
export interface Rollout {
  readonly kservice: KubeObject;
  readonly revisions: readonly KubeObject[];
  readonly latest: KubeObject;
  readonly url: string;
}

/** Where the traffic of a KService goes. */
export interface Routed {
  readonly revision: KubeObject;
  readonly percent: number;
  readonly latestRevision: boolean;
}

/** Answers the newest Revision that is ready, or undefined. A failed one never takes the traffic of the last that was ready. */
function latestReady(revisions: readonly KubeObject[]): KubeObject | undefined {
  return revisions
    .filter((revision) => conditionStatus(revision["status"], "Ready") === "True")
    .toSorted((a, b) => generationOf(b) - generationOf(a))[0];
}

/** Answers the Revisions that get traffic; targets without a ready Revision are left out. */
export function routedRevisions({ kservice, revisions }: Rollout): Routed[] {
  return trafficOf(kservice).flatMap(({ revisionName, percent = 100 }) => {
    const pinned = revisions.filter((revision) => revision.metadata.name === revisionName);
    const revision = latestReady(revisionName === undefined ? revisions : pinned);
    if (revision === undefined) return [];
    return [{ revision, percent, latestRevision: revisionName === undefined }];
  });
}

/** Answers the status of a KService (serving.knative.dev/v1 ServiceStatus) as it follows from its Revisions. `at` is RFC 3339. */
export function serviceStatus(rollout: Rollout, at: string): object {
  const { kservice, revisions, latest, url } = rollout;
  const routed = routedRevisions(rollout);
  const configurations = configurationsReady(latest);
  const routes = routesReady(rollout, routed);
  const worst = [configurations, routes].toSorted((a, b) => weight[a.status] - weight[b.status])[0];
  const ready: Judgement = { ...worst, type: "Ready", status: worst?.status ?? "True" };
  const newestReady = latestReady(revisions)?.metadata.name;
  return {
    observedGeneration: kservice.metadata.generation ?? 1,
    conditions: timed(
      [configurations, routes, ready],
      conditionsOf(kservice["status"]),
      at,
    ) satisfies WorkloadCondition[],
    latestCreatedRevisionName: latest.metadata.name,
    ...(newestReady === undefined ? {} : { latestReadyRevisionName: newestReady }),
    url,
    address: { url },
    traffic: routed.map(({ revision, percent, latestRevision }) => ({
      latestRevision,
      percent,
      revisionName: revision.metadata.name,
    })),
  };
}

const weight = { False: 0, Unknown: 1, True: 2 };

function configurationsReady(latest: KubeObject): Judgement {
  const type = "ConfigurationsReady";
  const ready = conditionsOf(latest["status"]).find((condition) => condition.type === "Ready");
  if (ready?.status !== "False") return { type, status: ready?.status ?? "Unknown" };
  const message = `Revision "${latest.metadata.name}" failed with message: ${ready.message ?? ""}.`;
  return { type, status: "False", reason: "RevisionFailed", message };
}

function routesReady({ kservice, latest }: Rollout, routed: readonly Routed[]): Judgement {
  const type = "RoutesReady";
  if (routed.length === trafficOf(kservice).length) return { type, status: "True" };
  const failed = conditionStatus(latest["status"], "Ready") === "False";
  const message = `Configuration "${kservice.metadata.name}" does not have any ready Revision.`;
  return { type, status: failed ? "False" : "Unknown", reason: "RevisionMissing", message };
}

/** Answers what makes a Revision's labels say whether it gets traffic; one that never did stays `pending`. */
export function routingPatch({ metadata }: KubeObject, routed: boolean, now: Date): JsonPatch[] {
  const before = metadata.labels?.[serving.routingState];
  const after = routed ? "active" : "reserve";
  if (before === after || (before === "pending" && !routed)) return [];
  return [
    { op: "add", path: `/metadata/labels/${escaped(serving.routingState)}`, value: after },
    {
      op: "add",
      path: `/metadata/annotations/${escaped(serving.routingStateModified)}`,
      value: now.toISOString(),
    },
  ];
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
