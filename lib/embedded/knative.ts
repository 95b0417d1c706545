import type { KubeObject, OwnerReference } from "../cluster/cluster.ts";
import type { Kind } from "../cluster/kinds.ts";
import { kinds } from "../cluster/kinds.ts";

/** The kind between a KService and its Revisions (serving.knative.dev/v1). No function ever asks for it. */
const configurationKind: Kind = {
  apiVersion: "serving.knative.dev/v1",
  kind: "Configuration",
  plural: "configurations",
};

/** What the memory cluster is told of that kind, beside the kinds that it knows. */
export const configurationCrd: object = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "configurations.serving.knative.dev" },
  spec: {
    group: "serving.knative.dev",
    scope: "Namespaced",
    names: { kind: configurationKind.kind, plural: configurationKind.plural },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      },
    ],
  },
};

/** Labels and annotations that Knative Serving writes (knative/serving pkg/apis/serving/register.go). */
export const serving = {
  service: "serving.knative.dev/service",
  serviceUid: "serving.knative.dev/serviceUID",
  configuration: "serving.knative.dev/configuration",
  configurationUid: "serving.knative.dev/configurationUID",
  configurationGeneration: "serving.knative.dev/configurationGeneration",
  routingState: "serving.knative.dev/routingState",
  routingStateModified: "serving.knative.dev/routingStateModified",
} as const;

/** What a pod template says, as far as the stand-ins read it (core/v1 PodTemplateSpec). */
export interface PodTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: PodSpec;
}

/** The parts of a pod that decide what its mock serves. */
export interface PodSpec {
  readonly containers?: readonly {
    readonly env?: readonly { readonly name: string; readonly value?: string }[];
  }[];
  readonly volumes?: readonly { readonly configMap?: { readonly name?: string } }[];
}

/** One entry of `spec.traffic` of a KService. */
export interface TrafficTarget {
  readonly latestRevision?: boolean;
  readonly revisionName?: string;
  readonly percent?: number;
}

/** Answers the Configuration that a KService is made into; like the real one it inherits the KService's labels. */
export function configurationOf(kservice: KubeObject): KubeObject {
  const { name, namespace, uid = "", labels, annotations } = kservice.metadata;
  return {
    apiVersion: configurationKind.apiVersion,
    kind: configurationKind.kind,
    metadata: {
      name,
      namespace,
      labels: { ...labels, [serving.service]: name, [serving.serviceUid]: uid },
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [controllerReference(kservice)],
    },
    spec: { template: templateOf(kservice) },
  };
}

/** Answers the Revision of the Configuration's present generation, not routed yet. `at` is RFC 3339. */
export function revisionOf(configuration: KubeObject, at: string): KubeObject {
  const { name, namespace, uid = "", generation = 1, labels } = configuration.metadata;
  const template = templateOf(configuration);
  return {
    apiVersion: kinds.revision.apiVersion,
    kind: kinds.revision.kind,
    metadata: {
      name: revisionName(configuration),
      namespace,
      labels: {
        ...template.metadata?.labels,
        [serving.service]: labels?.[serving.service] ?? name,
        [serving.serviceUid]: labels?.[serving.serviceUid] ?? "",
        [serving.configuration]: name,
        [serving.configurationUid]: uid,
        [serving.configurationGeneration]: String(generation),
        [serving.routingState]: "pending",
      },
      annotations: { ...template.metadata?.annotations, [serving.routingStateModified]: at },
      ownerReferences: [controllerReference(configuration)],
    },
    spec: template.spec,
  };
}

/**
 * Answers the name of a Configuration's present Revision, `bets-00001`. Where that is over 63 characters Knative puts a digest of the
 * name into it (knative/pkg kmeta.ChildName); here it is the head of the uid, which is as unique and needs no digest.
 */
export function revisionName(configuration: KubeObject): string {
  const { name, uid = "", generation = 1 } = configuration.metadata;
  const suffix = `-${String(generation).padStart(5, "0")}`;
  if (name.length + suffix.length <= 63) return `${name}${suffix}`;
  return `${name.slice(0, 62 - 8 - suffix.length)}-${uid.slice(0, 8)}${suffix}`;
}

/** Answers the generation of the Configuration that a Revision was made of, 0 where its label does not say. */
export function generationOf(revision: KubeObject): number {
  return Number(revision.metadata.labels?.[serving.configurationGeneration] ?? 0);
}

/** Answers the pod template of a KService, Configuration or Deployment. */
export function templateOf(object: KubeObject): PodTemplate {
  const spec = object["spec"] as { template?: PodTemplate } | undefined;
  return spec?.template ?? { spec: {} };
}

/** Answers what a KService wants routed; Knative's default sends all to the latest Revision that is ready. */
export function trafficOf(kservice: KubeObject): readonly TrafficTarget[] {
  const spec = kservice["spec"] as { traffic?: readonly TrafficTarget[] } | undefined;
  return spec?.traffic ?? [{ latestRevision: true, percent: 100 }];
}

function controllerReference(owner: KubeObject): OwnerReference {
  const { apiVersion, kind, metadata } = owner;
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? "", controller: true };
}
