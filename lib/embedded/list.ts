import type { KubeObject, ListOptions, Page } from "../cluster/cluster.ts";
import type { Asked } from "./refusal.ts";
import { badRequest } from "./refusal.ts";
import type { Resource } from "./resource.ts";
import { SelectorError, fieldSelector, labelSelector } from "./selector.ts";
import type { Store } from "./store.ts";
import { storeKey } from "./store.ts";

/**
 * Answers a page of the kind's objects by namespace and name. The token of the next page is the last key of this one: what is created before it
 * in the meantime is not seen, and a token never expires (a real API server answers 410 after some minutes).
 * @throws ClusterError 400 where a selector or the token cannot be read
 */
export function listPage(store: Store, resource: Resource, options: ListOptions): Page<KubeObject> {
  const asked: Asked = { verb: "list", resource, namespace: options.namespace };
  const selects = selection(asked, resource, options);
  const after = options.continue === undefined ? undefined : fromToken(asked, options.continue);
  const limit = options.limit === undefined || options.limit <= 0 ? Infinity : options.limit;
  const items: KubeObject[] = [];
  for (const { object } of store.entries(resource)) {
    if (after !== undefined && storeKey(object.metadata) <= after) continue;
    if (!selects(object)) continue;
    const last = items.at(-1);
    if (items.length === limit && last !== undefined)
      return { items, next: toToken(storeKey(last.metadata)) };
    items.push(object);
  }
  return { items };
}

function selection(
  asked: Asked,
  resource: Resource,
  options: ListOptions,
): (object: KubeObject) => boolean {
  const { namespace } = options;
  try {
    const labels = labelSelector(options.labelSelector ?? "");
    const fields = fieldSelector(options.fieldSelector ?? "", resource.selectable);
    return (object) =>
      (namespace === undefined || object.metadata.namespace === namespace) &&
      labels(object) &&
      fields(object);
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(asked, error.message);
    throw error;
  }
}

function toToken(key: string): string {
  return btoa(JSON.stringify({ v: "memory/v1", start: key }));
}

function fromToken(asked: Asked, token: string): string {
  try {
    const { start } = JSON.parse(atob(token)) as { start?: unknown };
    if (typeof start === "string") return start;
  } catch {
    // Falls through to the refusal: a token that is no base64 and one that is no JSON are equally wrong.
  }
  throw badRequest(asked, "continue key is not valid: it is none that a page before answered");
}
