/** Namespace and name of a mock: the unit of work. The only thing that is ever taken from an event. */
export interface Key {
  readonly namespace: string;
  readonly name: string;
}

/** Answers the key as people write it: `default/bets`. */
export function keyText(key: Key): string {
  return `${key.namespace}/${key.name}`;
}

/** Server-side apply's field manager, and `managed-by` of every child. */
export const manager = "apirator";

/** Label on each child: the name of its mock. The event source selects by its existence. */
export const mockLabel = "apirator.io/mock";

/** Label, value `"true"`, by which the owner of a ConfigMap shares it as a definition. */
export const definitionLabel = "apirator.io/definition";

/** Finalizer that the Go operator left behind; removed on any reconcile. */
export const legacyFinalizer = "finalizer.ingress.apirator.io";

/** Annotations of a compiled definition's ConfigMap: what a status is rebuilt from without reading the data. */
export const annotations = {
  source: "apirator.io/source",
  version: "apirator.io/version",
  title: "apirator.io/title",
  operations: "apirator.io/operations",
} as const;

/** Annotation of a workload: a hash of all that was desired of it, so that a field that is desired no more is seen too. */
export const desiredAnnotation = "apirator.io/desired";

/** Key below `binaryData` of a compiled definition's ConfigMap, and the file's name where it is mounted. */
export const definitionFile = "definition.json.gz";

/** Folder at which the workload mounts the compiled definition's ConfigMap. */
export const definitionMount = "/etc/apirator";

/** Answers how many hex digits of a compiled definition's SHA-256 name it. */
export const hashLength = 10;

/** Answers the name of the ConfigMap that holds the compiled definition `hash` of a mock. */
export function configMapName(mock: string, hash: string): string {
  return `${mock}-${hash}`;
}

/** Answers the hash in the name of a mock's ConfigMap, or undefined where the name is not one that `configMapName` makes. */
export function hashOfConfigMap(mock: string, configMap: string): string | undefined {
  if (!configMap.startsWith(`${mock}-`)) return undefined;
  const hash = configMap.slice(mock.length + 1);
  return /^[0-9a-f]{10}$/.test(hash) ? hash : undefined;
}

/** Answers the mock that a ConfigMap's name speaks of, or undefined where it is not named like a compiled definition. */
export function mockOfConfigMap(configMap: string): string | undefined {
  return /^(.+)-[0-9a-f]{10}$/.exec(configMap)?.[1];
}

/** Answers the labels that every child of the mock carries (Kubernetes' recommended ones and `apirator.io/mock`). */
export function childLabels(mock: string, component: string): Record<string, string> {
  return {
    "app.kubernetes.io/name": mock,
    "app.kubernetes.io/component": component,
    "app.kubernetes.io/managed-by": manager,
    [mockLabel]: mock,
  };
}
