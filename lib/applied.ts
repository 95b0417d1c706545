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
 * Answers one short hash over the children (in any order) and the shared ConfigMap, the hash in `status.applied`. The same hash means that nobody has
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

/** Behind the hash in `status.applied`: something is amiss that may pass without an event, so each resync looks again. */
const openMark = "+";

/** Answers `status.applied` of children that were left so; `open` says that a later look may find more to do. */
export function appliedOf(hash: string, open: boolean): string {
  return open ? `${hash}${openMark}` : hash;
}

/** Answers the fingerprint in a `status.applied`, and whether it was left open. */
export function readApplied(applied = ""): { readonly hash: string; readonly open: boolean } {
  const open = applied.endsWith(openMark);
  return { hash: open ? applied.slice(0, -openMark.length) : applied, open };
}
