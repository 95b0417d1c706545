import type { OwnerReference } from "../cluster/cluster.ts";
import type { Resource } from "./resource.ts";
import type { Change, Entry, Store } from "./store.ts";
import { storeKey } from "./store.ts";

/** What the garbage collector may do. */
export interface Collector {
  readonly store: Store;
  /** Answers the kind of an owner, or undefined where the cluster does not serve it: then its dependents stay. */
  resourceOf(owner: OwnerReference): Resource | undefined;
  remove(entry: Entry): void;
  /** Takes the owner references that lead nowhere out of an object that another owner keeps. */
  release(entry: Entry, owners: readonly OwnerReference[]): void;
}

/**
 * Starts the garbage collector: after each commit, in a microtask, an object whose owners are all gone is removed, also where they never
 * existed. An owner is there only under the reference's kind, name and uid, in the dependent's namespace. It goes on until nothing is left to
 * collect. Answers a function that stops it.
 */
export function startCollector(collector: Collector): () => void {
  const dependents = new Map<string, Set<string>>();
  const suspects = new Set<string>();
  let scheduled = false;

  const suspect = (uid: string) => {
    suspects.add(uid);
    if (scheduled) return;
    scheduled = true;
    queueMicrotask(() => {
      scheduled = false;
      for (const uid of suspects) {
        suspects.delete(uid);
        judge(collector, uid);
      }
    });
  };
  return collector.store.onCommit((change) => {
    note(dependents, change);
    const uid = change.object.metadata.uid;
    if (uid === undefined) return;
    if (change.type !== "DELETED") {
      if ((change.object.metadata.ownerReferences ?? []).length > 0) suspect(uid);
      return;
    }
    for (const dependent of dependents.get(uid) ?? []) suspect(dependent);
  });
}

function note(dependents: Map<string, Set<string>>, change: Change): void {
  const uid = change.object.metadata.uid;
  if (uid === undefined) return;
  for (const owner of change.before?.metadata.ownerReferences ?? []) {
    const known = dependents.get(owner.uid);
    known?.delete(uid);
    if (known?.size === 0) dependents.delete(owner.uid);
  }
  if (change.type === "DELETED") return;
  for (const owner of change.object.metadata.ownerReferences ?? []) {
    const known = dependents.get(owner.uid) ?? new Set();
    dependents.set(owner.uid, known.add(uid));
  }
}

function judge(collector: Collector, uid: string): void {
  const entry = collector.store.byUid(uid);
  if (entry === undefined || entry.object.metadata.deletionTimestamp !== undefined) return;
  const owners = entry.object.metadata.ownerReferences ?? [];
  const there = owners.filter((owner) => isThere(collector, entry, owner));
  if (owners.length === there.length) return;
  if (there.length === 0) collector.remove(entry);
  else collector.release(entry, there);
}

function isThere(collector: Collector, dependent: Entry, owner: OwnerReference): boolean {
  const resource = collector.resourceOf(owner);
  if (resource === undefined) return true;
  const { namespace } = dependent.object.metadata;
  const found = collector.store.get(resource, storeKey({ namespace, name: owner.name }));
  return found?.object.metadata.uid === owner.uid;
}
