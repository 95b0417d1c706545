import type { Cluster, ListOptions } from "../../lib/cluster/cluster.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import type { Key } from "../../lib/names.ts";

/** Answers the mocks whose definition is in the ConfigMap, by a list that the API server narrows (`selectableFields`). Throws a `ClusterError`. */
export async function mocksWithDefinition(configMap: Key, cluster: Cluster): Promise<Key[]> {
  const options: ListOptions = {
    namespace: configMap.namespace,
    fieldSelector: `spec.definitionFrom.configMapKeyRef.name=${configMap.name}`,
  };
  const keys: Key[] = [];
  let next: string | undefined;
  do {
    const page = await cluster.listMetadata(kinds.apimock, {
      ...options,
      ...(next === undefined ? {} : { continue: next }),
    });
    keys.push(...page.items.map(({ namespace, name }) => ({ namespace, name })));
    next = page.next;
  } while (next !== undefined);
  return keys;
}
