import type { LabelSelector, WatchedResource } from "../lib/embedded/source.ts";
import { definitionLabel, mockLabel } from "../lib/names.ts";

const child: LabelSelector = { matchExpressions: [{ key: mockLabel, operator: "Exists" }] };

/** Knative's own Deployments and Services inherit the label. */
const ownChild: LabelSelector = {
  matchExpressions: [
    { key: mockLabel, operator: "Exists" },
    { key: "serving.knative.dev/service", operator: "DoesNotExist" },
  ],
};

/** `spec.resources` of the installed ApiServerSource (knative/operator/source.yaml; a test compares). */
export const watchedResources: readonly WatchedResource[] = [
  { apiVersion: "apirator.io/v1alpha1", kind: "APIMock" },
  { apiVersion: "v1", kind: "ConfigMap", selector: child },
  { apiVersion: "v1", kind: "ConfigMap", selector: { matchLabels: { [definitionLabel]: "true" } } },
  { apiVersion: "serving.knative.dev/v1", kind: "Service", selector: child },
  { apiVersion: "apps/v1", kind: "Deployment", selector: ownChild },
  { apiVersion: "v1", kind: "Service", selector: ownChild },
  { apiVersion: "networking.k8s.io/v1", kind: "Ingress", selector: child },
];
