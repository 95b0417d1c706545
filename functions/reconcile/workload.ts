import type { KubeObject } from "../../lib/cluster/cluster.ts";

/** What a workload is seen to do, whatever its runtime. ConfigMaps by name. */
export interface Workload {
  readonly url?: string;
  /** The ConfigMap that its template mounts: what new processes would serve. */
  readonly mounted?: string;
  /** The ConfigMaps whose processes receive requests, the greatest share first; "" where a Revision is not known. */
  readonly routed: readonly string[];
  /** Whether requests reach a process, as the platform says. */
  readonly serving: "True" | "False" | "Unknown";
  /** Whether what the template says is what runs. */
  readonly rollout: { readonly status: "True" | "False" | "Unknown"; readonly message: string };
}

/** A workload that is not there. */
export const noWorkload: Workload = {
  routed: [],
  serving: "False",
  rollout: { status: "Unknown", message: "" },
};

/** Answers what the KService is seen to do. Its conditions count only where they speak of the present generation. */
export function workloadOf(kservice: KubeObject, revisions: readonly KubeObject[]): Workload {
  const { status = {}, spec = {} } = kservice as KService;
  const mounted = mountedBy(spec.template?.spec);
  const current = status.observedGeneration === kservice.metadata.generation;
  const ready = conditionOf(status, "Ready");
  const why = [
    conditionOf(status, "ConfigurationsReady"),
    ready,
    conditionOf(status, "RoutesReady"),
  ];
  const message = why.find((condition) => condition?.status === "False")?.message;
  return {
    ...(status.url === undefined ? {} : { url: status.url }),
    ...(mounted === undefined ? {} : { mounted }),
    routed: routedBy(status, revisions),
    serving: conditionOf(status, "RoutesReady")?.status ?? "Unknown",
    rollout: {
      status: current ? (ready?.status ?? "Unknown") : "Unknown",
      message: message ?? "",
    },
  };
}

/** Answers the names of the Revisions that the KService has in traffic (asked for, or in effect, tags too), and its newest created and ready ones. */
export function revisionsInUse(kservice: KubeObject): Set<string> {
  const { status = {}, spec = {} } = kservice as KService;
  const traffic = [...(spec.traffic ?? []), ...(status.traffic ?? [])];
  const names = [
    ...traffic.map(({ revisionName }) => revisionName),
    status.latestCreatedRevisionName,
    status.latestReadyRevisionName,
  ];
  return new Set(names.filter((name) => name !== undefined));
}

/** Answers the ConfigMap that a pod template (or a Revision's spec) mounts as its definition. */
export function mountedBy(pod: unknown): string | undefined {
  const { volumes = [] } = (pod ?? {}) as PodSpec;
  return volumes.find(({ name }) => name === "definition")?.configMap?.name;
}

function routedBy(status: KServiceStatus, revisions: readonly KubeObject[]): string[] {
  return (status.traffic ?? [])
    .filter(({ percent = 0 }) => percent > 0)
    .toSorted((a, b) => (b.percent ?? 0) - (a.percent ?? 0))
    .map(({ revisionName }) => revisions.find(({ metadata }) => metadata.name === revisionName))
    .map((revision) => mountedBy(revision?.["spec"]) ?? "");
}

function conditionOf(status: KServiceStatus, type: string): KServiceCondition | undefined {
  return status.conditions?.find((condition) => condition.type === type);
}

/** The parts of `serving.knative.dev/v1` Service that are read; any of them may be absent. */
interface KService extends KubeObject {
  readonly spec?: {
    readonly template?: { readonly spec?: PodSpec };
    readonly traffic?: readonly Traffic[];
  };
  readonly status?: KServiceStatus;
}

interface KServiceStatus {
  readonly observedGeneration?: number;
  readonly url?: string;
  readonly traffic?: readonly Traffic[];
  readonly latestCreatedRevisionName?: string;
  readonly latestReadyRevisionName?: string;
  readonly conditions?: readonly KServiceCondition[];
}

interface KServiceCondition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly message?: string;
}

interface Traffic {
  readonly revisionName?: string;
  readonly percent?: number;
}

interface PodSpec {
  readonly volumes?: readonly { readonly name: string; readonly configMap?: { name?: string } }[];
}
