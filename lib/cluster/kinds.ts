/** A kind of the Kubernetes API as requests need it: where its objects live, and what they are called there. */
export interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
}

/** Every kind that a function may touch. A static table: discovery would cost a request per group and start. */
export const kinds = {
  apimock: { apiVersion: "apirator.io/v1alpha1", kind: "APIMock", plural: "apimocks" },
  configMap: { apiVersion: "v1", kind: "ConfigMap", plural: "configmaps" },
  kservice: { apiVersion: "serving.knative.dev/v1", kind: "Service", plural: "services" },
  revision: { apiVersion: "serving.knative.dev/v1", kind: "Revision", plural: "revisions" },
  deployment: { apiVersion: "apps/v1", kind: "Deployment", plural: "deployments" },
  service: { apiVersion: "v1", kind: "Service", plural: "services" },
  ingress: { apiVersion: "networking.k8s.io/v1", kind: "Ingress", plural: "ingresses" },
  event: { apiVersion: "v1", kind: "Event", plural: "events" },
} as const satisfies Record<string, Kind>;

/** Answers the kind of an object by its apiVersion and kind, or undefined where the table lacks it. */
export function kindOf(object: { apiVersion: string; kind: string }): Kind | undefined {
  return Object.values(kinds).find(
    (kind) => kind.apiVersion === object.apiVersion && kind.kind === object.kind,
  );
}

/**
 * Answers the path of a collection, or of one object in it, on the API server; every segment is percent-encoded.
 * Without a namespace: the collection over all namespaces.
 */
export function pathOf(
  kind: Kind,
  at: { namespace?: string | undefined; name?: string; subresource?: "status" },
): string {
  const group = kind.apiVersion.includes("/")
    ? `/apis/${kind.apiVersion}`
    : `/api/${kind.apiVersion}`;
  const namespace =
    at.namespace === undefined ? "" : `/namespaces/${encodeURIComponent(at.namespace)}`;
  const name = at.name === undefined ? "" : `/${encodeURIComponent(at.name)}`;
  const subresource = at.subresource === undefined ? "" : `/${at.subresource}`;
  return `${group}${namespace}/${kind.plural}${name}${subresource}`;
}
