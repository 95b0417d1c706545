import type { APIMock } from "../../lib/apimock.ts";
import type { KubeObject } from "../../lib/cluster/cluster.ts";
import { sha256 } from "../../lib/hash.ts";
import {
  childLabels,
  configMapName,
  definitionFile,
  definitionMount,
  desiredAnnotation,
  mockLabel,
} from "../../lib/names.ts";
import { ownerReferenceTo } from "./ownership.ts";
import type { Settings } from "./settings.ts";

/** Label that keeps a KService inside the cluster (Knative networking); it counts on the KService alone. */
const visibility = "networking.knative.dev/visibility";

/**
 * Answers the KService that serves the compiled definition `hash`. Every field that Knative would default is set, in the form in which its webhook
 * writes it back, so that what is observed compares with what is desired. Never depends on anything but its arguments.
 */
export function kserviceOf(mock: APIMock, hash: string, settings: Settings): KubeObject {
  const { name, namespace } = mock.metadata;
  const local = isLocal(mock) ? { [visibility]: "cluster-local" } : {};
  const desired = {
    apiVersion: "serving.knative.dev/v1",
    kind: "Service",
    metadata: {
      name,
      namespace,
      labels: { ...childLabels(name, "mock"), ...local },
      annotations: annotationsOf(mock).kept,
      ownerReferences: [ownerReferenceTo(mock)],
    },
    spec: {
      template: { metadata: templateMetadata(mock), spec: podOf(mock, hash, settings) },
      // A traffic list that was pinned by hand would survive otherwise.
      traffic: [{ latestRevision: true, percent: 100 }],
    },
  };
  const digest = sha256(JSON.stringify(desired)).slice(0, 16);
  const annotations = { ...desired.metadata.annotations, [desiredAnnotation]: digest };
  return { ...desired, metadata: { ...desired.metadata, annotations } };
}

/** Answers whether the mock is reached inside the cluster only. */
function isLocal({ spec }: APIMock): boolean {
  return spec.service.type === "ClusterIP" || spec.service.type === "ExternalName";
}

/** Answers the annotations of the spec that go on the workload, and the names of those that may not: they steer Kubernetes, Knative or the operator. */
export function annotationsOf({ spec }: APIMock): {
  kept: Record<string, string>;
  refused: string[];
} {
  const entries = Object.entries(spec.service.annotations ?? {});
  const refused = entries.map(([name]) => name).filter(isReserved);
  return { kept: Object.fromEntries(entries.filter(([name]) => !isReserved(name))), refused };
}

function isReserved(annotation: string): boolean {
  const domain = `.${annotation.split("/")[0]}`;
  return [".knative.dev", ".kubernetes.io", ".k8s.io", ".apirator.io"].some((reserved) =>
    domain.endsWith(reserved),
  );
}

function templateMetadata(mock: APIMock): object {
  // Knative copies these to Revisions and Deployments; with the mock's label each of those would be taken for a child.
  const { [mockLabel]: _, ...labels } = childLabels(mock.metadata.name, "mock");
  const { min, max } = mock.spec.scale;
  return {
    labels,
    annotations: {
      "autoscaling.knative.dev/min-scale": String(min),
      "autoscaling.knative.dev/max-scale": String(max),
    },
  };
}

function podOf(mock: APIMock, hash: string, settings: Settings): object {
  return {
    automountServiceAccountToken: false,
    containerConcurrency: 0,
    containers: [containerOf(mock, settings)],
    enableServiceLinks: false,
    timeoutSeconds: 300,
    volumes: [{ name: "definition", configMap: { name: configMapName(mock.metadata.name, hash) } }],
  };
}

function containerOf(mock: APIMock, { image }: Settings): object {
  return {
    args: ["mock"],
    env: environmentOf(mock),
    image,
    name: "user-container",
    ports: [{ containerPort: 8080, name: "http1", protocol: "TCP" }],
    readinessProbe: { successThreshold: 1, tcpSocket: { port: 0 } },
    resources: { limits: { memory: "256Mi" }, requests: { cpu: "25m", memory: "64Mi" } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    },
    volumeMounts: [{ mountPath: definitionMount, name: "definition", readOnly: true }],
  };
}

/** Answers the environment of the mock process. Knative sets PORT itself, and drops an empty value when it writes the object back. */
function environmentOf({ spec }: APIMock): { name: string; value: string }[] {
  const { validate, dynamic, seed, cors } = spec.mock;
  const variables = {
    DEFINITION: `${definitionMount}/${definitionFile}`,
    APIRATOR_VALIDATE: validate,
    APIRATOR_DYNAMIC: String(dynamic),
    APIRATOR_SEED: seed,
    APIRATOR_CORS: String(cors),
  };
  return Object.entries(variables)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => ({ name, value }));
}
