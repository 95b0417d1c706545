import type { Clock } from "../../lib/clock.ts";
import type { KubeObject, ObjectMeta } from "../../lib/cluster/cluster.ts";
import { type Kind, kinds } from "../../lib/cluster/kinds.ts";
import { configMapName } from "../../lib/names.ts";
import type { Left, Work } from "./children.ts";
import type { Choice, Held } from "./choice.ts";
import { configMapsToRemove, revisionsToRemove } from "./cleanup.ts";
import { type Failure, failureOf } from "./failure.ts";
import { ownershipOf } from "./ownership.ts";

/**
 * Removes Revisions and ConfigMaps that nothing uses. Answers what is left. Decides by what was seen before this run's own writes: what they took out
 * of use goes in a later run. Each removal is bound to the uid and resourceVersion that the decision was made on.
 */
export async function removeUnused(
  { mock, seen, cluster, wrote, clock }: Work & { clock: Clock },
  made: Left,
  by: { choice: Choice; held: Held | undefined },
): Promise<Left> {
  const { kservice } = seen;
  const taken = kservice !== undefined && ownershipOf(kservice.metadata, mock) !== "ours";
  if (taken || made.failures.length > 0) return made;
  const now = clock.now();
  const { name, namespace } = mock.metadata;
  const hashes = [
    by.held?.hash,
    mock.status?.definition?.hash,
    by.choice.kind === "nothing" ? undefined : by.choice.hash,
  ];
  const keep = new Set(hashes.flatMap((hash) => (hash ? [configMapName(name, hash)] : [])));
  const mounting: readonly KubeObject[] = [...seen.revisions, ...(kservice ? [kservice] : [])];
  const listed = new Set(seen.configMaps.map((configMap) => configMap.name));
  const ours = made.configMaps.filter((configMap) => listed.has(configMap.name));
  const revisions = kservice ? revisionsToRemove(kservice, seen.revisions, now) : [];
  const unused: [Kind, ObjectMeta][] = [
    ...revisions.map(({ metadata }): [Kind, ObjectMeta] => [kinds.revision, metadata]),
    ...configMapsToRemove(ours, { mounting, keep, now }).map((metadata): [Kind, ObjectMeta] => [
      kinds.configMap,
      metadata,
    ]),
  ];
  const failures: Failure[] = [];
  const removed = new Set<string>();
  for (const [kind, metadata] of unused) {
    const child = `${kind.kind} ${metadata.name}`;
    const { uid = "", resourceVersion = "" } = metadata;
    try {
      await cluster.remove(kind, { namespace, name: metadata.name }, { uid, resourceVersion });
      wrote.push(`removed ${child}`);
      if (kind === kinds.configMap) removed.add(metadata.name);
    } catch (error) {
      const failure = failureOf(child, error);
      // It was changed in between: a later run looks again.
      if (failure.class !== "conflict") failures.push(failure);
    }
  }
  const configMaps = made.configMaps.filter((configMap) => !removed.has(configMap.name));
  return { ...made, configMaps, failures };
}
