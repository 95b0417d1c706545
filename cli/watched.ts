import type { LabelSelector, WatchedResource } from "../lib/embedded/source.ts";
import { definitionLabel, mockLabel } from "../lib/names.ts";

const child: LabelSelector = { matchExpressions: [{ key: mockLabel, operator: "Exists" }] };

/** `spec.resources` of the installed ApiServerSource (knative/operator/source.yaml; a test compares). */
export const watchedResources: readonly WatchedResource[] = [
  { apiVersion: "apirator.io/v1alpha1", kind: "APIMock" },
  { apiVersion: "v1", kind: "ConfigMap", selector: child },
  { apiVersion: "v1", kind: "ConfigMap", selector: { matchLabels: { [definitionLabel]: "true" } } },
  { apiVersion: "serving.knative.dev/v1", kind: "Service", selector: child },
];
