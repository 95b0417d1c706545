import type { ObjectMeta } from "./cluster/cluster.ts";
import type { Kind } from "./cluster/kinds.ts";
import { sha256 } from "./hash.ts";

/** A child as it is told from others and from itself after a change. ConfigMaps have no generation. */
export interface Child {
  readonly kind: Kind;
  readonly metadata: Pick<ObjectMeta, "name" | "uid" | "generation">;
}

/** The shared ConfigMap that a mock's definition comes from, as it was read. */
export type SharedConfigMap = Pick<ObjectMeta, "uid" | "resourceVersion">;

/**
 * Answers one short hash over the children (in any order) and the shared ConfigMap, as in `status.applied`. The same hash means that nobody has
 * changed, removed or replaced one since. Labels, annotations and statuses of children are not in it: they have no generation.
 */
export function fingerprint(children: readonly Child[], shared?: SharedConfigMap): string {
  const lines = children
    .map(({ kind, metadata }) => [
      `${kind.apiVersion}/${kind.kind}`,
      metadata.name,
      metadata.uid ?? "",
      metadata.generation ?? 0,
    ])
    .map((line) => JSON.stringify(line))
    .sort();
  const from = shared === undefined ? [] : [shared.uid ?? "", shared.resourceVersion ?? ""];
  return sha256(JSON.stringify([lines, from])).slice(0, 16);
}
