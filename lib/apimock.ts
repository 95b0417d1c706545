import type { KubeObject, ObjectMeta } from "./cluster/cluster.ts";
import type { Finding } from "./finding.ts";

/** The custom resource as the API server stores it: defaults of the CRD filled in. Its schema is `knative/crd/apimock.yaml`. */
export interface APIMock extends KubeObject {
  readonly apiVersion: "apirator.io/v1alpha1";
  readonly kind: "APIMock";
  readonly metadata: ObjectMeta;
  readonly spec: APIMockSpec;
  readonly status?: APIMockStatus;
}

/** What a user wants. Exactly one of `definition` and `definitionFrom` is set (a CEL rule). */
export interface APIMockSpec {
  readonly definition?: string;
  readonly definitionFrom?: {
    readonly configMapKeyRef: { readonly name: string; readonly key: string };
  };
  readonly watch: boolean;
  readonly service: {
    readonly port: number;
    readonly type: "ClusterIP" | "NodePort" | "LoadBalancer" | "ExternalName";
    readonly externalTrafficPolicy?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly ingress?: {
    readonly hostname?: string;
    readonly path?: string;
    readonly pathType?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly certManager?: boolean;
    readonly tls?: { readonly secretName?: string };
  };
  readonly runtime: "Knative" | "Deployment";
  readonly scale: { readonly min: number; readonly max: number };
  readonly mock: {
    readonly validate: "Enforce" | "Warn" | "Off";
    readonly dynamic: boolean;
    readonly seed: string;
    readonly cors: boolean;
  };
}

/** What was observed. Rebuilt on every reconcile; `definition` is what is in service, never what is desired. */
export interface APIMockStatus {
  readonly observedGeneration?: number;
  readonly phase?: "Pending" | "Running" | "Error" | "Failed";
  readonly url?: string;
  readonly definition?: DefinitionInService;
  readonly source?: string;
  readonly build?: string;
  readonly applied?: string;
  readonly runtime?: "Knative" | "Deployment";
  readonly findings?: readonly Finding[];
  readonly conditions?: readonly Condition[];
}

/** The definition that the routed workload mounts: `hash` names its ConfigMap, `version` is its OpenAPI version. */
export interface DefinitionInService {
  readonly hash: string;
  readonly version: string;
  readonly title: string;
  readonly operations: number;
}

/** A condition (meta/v1 Condition). `type` is the key of the list. */
export interface Condition {
  readonly type: "Ready" | "Validated" | "Available" | "IngressReady";
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration: number;
  readonly lastTransitionTime: string;
}
