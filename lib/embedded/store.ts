import type { KubeObject } from "../cluster/cluster.ts";
import type { Manager } from "./apply.ts";
import type { Resource } from "./resource.ts";

/** An object as it is kept: frozen, with the owners of its fields. */
export interface Entry {
  readonly resource: Resource;
  readonly object: KubeObject;
  readonly managers: readonly Manager[];
}

/** A commit: what an object was before (undefined: created) and after (undefined: removed; `object` is then its last state). */
export interface Change {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly resource: Resource;
  readonly before: KubeObject | undefined;
  readonly object: KubeObject;
}

/** The objects of a cluster, by kind, namespace and name, under one increasing resourceVersion. */
export interface Store {
  get(resource: Resource, key: string): Entry | undefined;
  /** Answers the object of the uid, wherever it is. */
  byUid(uid: string): Entry | undefined;
  /** Answers the kind's entries in etcd's order: by namespace and name. */
  entries(resource: Resource): readonly Entry[];
  /** Answers the next resourceVersion; it is used up. */
  nextVersion(): string;
  /** Puts the entry in, and tells the listeners. */
  put(entry: Entry): void;
  /** Takes the object out, and tells the listeners. */
  drop(entry: Entry): void;
  /** Calls the listener after each commit, in the order of commits, synchronously. */
  onCommit(listener: (change: Change) => void): () => void;
  /** Answers all objects, kinds in the order of their first object. */
  all(): readonly KubeObject[];
}

/** Answers the key of an object below its kind: `NAMESPACE/NAME`, compared as text like etcd does. */
export function storeKey(at: { namespace: string; name: string }): string {
  return `${at.namespace}/${at.name}`;
}

interface Shelf {
  readonly byKey: Map<string, Entry>;
  sorted: readonly Entry[] | undefined;
}

/** Answers an empty store. */
export function createStore(): Store {
  const shelves = new Map<Resource, Shelf>();
  const uids = new Map<string, { resource: Resource; key: string }>();
  const tell = createTeller();
  let version = 0;

  const shelfOf = (resource: Resource): Shelf => {
    const shelf = shelves.get(resource) ?? { byKey: new Map(), sorted: undefined };
    shelves.set(resource, shelf);
    return shelf;
  };
  const get = (resource: Resource, key: string) => shelves.get(resource)?.byKey.get(key);

  return {
    get,
    byUid: (uid) => {
      const at = uids.get(uid);
      return at === undefined ? undefined : get(at.resource, at.key);
    },
    entries: (resource) => {
      const shelf = shelfOf(resource);
      shelf.sorted ??= [...shelf.byKey]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, entry]) => entry);
      return shelf.sorted;
    },
    nextVersion: () => String(++version),
    put: (entry) => {
      const key = storeKey(entry.object.metadata);
      const shelf = shelfOf(entry.resource);
      const before = shelf.byKey.get(key)?.object;
      shelf.byKey.set(key, entry);
      shelf.sorted = undefined;
      const uid = entry.object.metadata.uid;
      if (uid !== undefined) uids.set(uid, { resource: entry.resource, key });
      const type = before === undefined ? "ADDED" : "MODIFIED";
      tell.change({ type, resource: entry.resource, before, object: entry.object });
    },
    drop: (entry) => {
      const key = storeKey(entry.object.metadata);
      const shelf = shelfOf(entry.resource);
      const before = shelf.byKey.get(key)?.object;
      shelf.byKey.delete(key);
      shelf.sorted = undefined;
      uids.delete(entry.object.metadata.uid ?? "");
      tell.change({ type: "DELETED", resource: entry.resource, before, object: entry.object });
    },
    onCommit: (listener) => tell.onCommit(listener),
    all: () =>
      [...shelves.values()].flatMap((shelf) =>
        [...shelf.byKey.values()].map((entry) => entry.object),
      ),
  };
}

/** Tells listeners of changes one after the other, also where a listener commits again. */
function createTeller(): {
  change(change: Change): void;
  onCommit(listener: (change: Change) => void): () => void;
} {
  const listeners = new Set<(change: Change) => void>();
  const waiting: Change[] = [];
  let telling = false;
  return {
    change: (change) => {
      waiting.push(change);
      if (telling) return;
      telling = true;
      try {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
          for (const listener of listeners) listener(next);
      } finally {
        telling = false;
      }
    },
    onCommit: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
