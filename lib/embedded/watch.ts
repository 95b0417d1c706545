import type { KubeObject } from "../cluster/cluster.ts";
import type { Kind } from "../cluster/kinds.ts";
import { labelSelector } from "./selector.ts";
import type { Change, Store } from "./store.ts";

/** An event of a watch. `object` of a DELETED event is the last state, under a resourceVersion of its own. */
export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly kind: Kind;
  readonly object: KubeObject;
}

/** What a watch is narrowed by. */
export interface WatchOptions {
  readonly kind?: Kind;
  readonly namespace?: string;
  readonly labelSelector?: string;
}

/**
 * Calls the listener for each commit from now on, in the order of commits, synchronously: before the write's promise is fulfilled. As on an API server,
 * an object whose labels begin to match is ADDED, and one that matches no more is DELETED. A listener that throws harms no write;
 * its error becomes an unhandled one. Answers a function that ends the watch.
 * @throws SelectorError where the label selector cannot be read
 */
export function watch(
  store: Store,
  listener: (event: WatchEvent) => void,
  options: WatchOptions,
): () => void {
  const labels = labelSelector(options.labelSelector ?? "");
  const selects = (object: KubeObject | undefined) =>
    object !== undefined &&
    (options.namespace === undefined || object.metadata.namespace === options.namespace) &&
    labels(object);
  return store.onCommit((change) => {
    const { resource, object, before } = change;
    if (options.kind !== undefined && !isKind(resource, options.kind)) return;
    const type = typeOf(selects(before), change.type !== "DELETED" && selects(object));
    if (type === undefined) return;
    try {
      listener({ type, kind: resource, object });
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  });
}

function typeOf(before: boolean, after: boolean): Change["type"] | undefined {
  if (after) return before ? "MODIFIED" : "ADDED";
  return before ? "DELETED" : undefined;
}

function isKind(a: Kind, b: Kind): boolean {
  return a.apiVersion === b.apiVersion && a.kind === b.kind;
}
