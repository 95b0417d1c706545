import type { Cluster, KubeObject, OwnerReference } from "../cluster/cluster.ts";
import { recordEvent } from "../cluster/event.ts";
import type { Kind } from "../cluster/kinds.ts";
import { kinds } from "../cluster/kinds.ts";
import type { Key } from "../names.ts";
import type { Manager } from "./apply.ts";
import { startCollector } from "./collect.ts";
import { customResource } from "./custom.ts";
import { patchJson } from "./json-patch.ts";
import type { JsonObject } from "./json.ts";
import { copyJson, freezeJson, isObject } from "./json.ts";
import { metadataOf } from "./metadata.ts";
import { listPage } from "./list.ts";
import type { Asked } from "./refusal.ts";
import { badRequest, conflict, notFound, notServed } from "./refusal.ts";
import type { Resource } from "./resource.ts";
import { asJson } from "./resource.ts";
import { builtIn } from "./resources.ts";
import { createStore, storeKey } from "./store.ts";
import type { WatchEvent, WatchOptions } from "./watch.ts";
import { watch } from "./watch.ts";
import type { World, Write } from "./write.ts";
import { applyWrite, removeWrite, updateWrite } from "./write.ts";

/** What a cluster in memory is made of. */
export interface MemoryOptions {
  /** CustomResourceDefinitions as parsed YAML. Without the APIMock's the cluster serves no mocks. */
  readonly crds: readonly unknown[];
  /** Kinds that the cluster does not serve, e.g. Knative's where it is not installed: 404. */
  readonly without?: readonly Kind[];
  now(): Date;
  /** Answers a new uid, unlike all before. */
  uid(): string;
}

/** A Kubernetes API server with its garbage collector, as far as the port can tell. It starts nothing and needs no end. */
export interface MemoryCluster {
  /** Answers the cluster as the field manager sees it. Test steps of users are `as("kubectl")`. */
  as(manager: string): Cluster;
  /** Calls the listener for each commit from now on, synchronously, in the order of commits. Answers a function that ends it. */
  watch(listener: (event: WatchEvent) => void, options?: WatchOptions): () => void;
  /** Answers all objects that are there. They are frozen. */
  objects(): readonly KubeObject[];
}

/**
 * Answers an empty cluster in memory. Every object that it answers is frozen, every object that it takes is copied: nobody changes the store from
 * outside. Writes are done when the call returns; the garbage collector follows in microtasks.
 */
export function createMemoryCluster(options: MemoryOptions): MemoryCluster {
  const store = createStore();
  const world: World = { store, now: () => options.now(), uid: () => options.uid() };
  const without = options.without ?? [];
  const served = [...builtIn, ...options.crds.map((crd) => customResource(crd))].filter(
    (resource) => !without.some((kind) => isKind(kind, resource)),
  );
  const resourceOf = (kind: { apiVersion: string; kind: string }) =>
    served.find((resource) => isKind(kind, resource));
  startCollector({
    store,
    resourceOf,
    remove: (entry) => removeWrite(world, entry),
    release: (entry, owners) => release(world, entry.resource, { object: entry.object, owners }),
  });
  return {
    as: (manager) => clientOf({ world, resourceOf, manager }),
    watch: (listener, narrowed = {}) => watch(store, listener, narrowed),
    objects: () => store.all(),
  };
}

interface Client {
  readonly world: World;
  readonly manager: string;
  resourceOf(kind: { apiVersion: string; kind: string }): Resource | undefined;
}

// Every method is async, so that what is thrown below is a rejection like that of a real client.
function clientOf(client: Client): Cluster {
  const { world } = client;
  const cluster: Cluster = {
    get: async (kind, key) => {
      // As over HTTP: a kind that is not served is an object that is not there.
      const resource = client.resourceOf(kind);
      return resource && world.store.get(resource, storeKey(key))?.object;
    },
    list: async (kind, options) =>
      listPage(world.store, servedKind(client, listing(kind, options), kind), options),
    listMetadata: async (kind, options) => {
      const resource = servedKind(client, listing(kind, options), kind);
      const page = listPage(world.store, resource, options);
      return { ...page, items: page.items.map((object) => object.metadata) };
    },
    listRows: async (kind, options) => {
      const resource = servedKind(client, listing(kind, options), kind);
      const page = listPage(world.store, resource, options);
      const now = world.now();
      return {
        ...page,
        items: page.items.map((object) =>
          freezeJson({
            cells: Object.fromEntries(
              resource.columns.map((column) => [column.name, column.cell(asJson(object), now)]),
            ),
            ...(options.include === "Metadata" ? { metadata: object.metadata } : {}),
          }),
        ),
      };
    },
    apply: async (object) => applyAs(client, object, ""),
    applyStatus: async (object) => applyAs(client, object, "status"),
    patch: async (kind, key, operations) => {
      const asked: Asked = { verb: "patch", resource: named(kind), ...key };
      const resource = servedKind(client, asked, kind);
      const live = world.store.get(resource, storeKey(key));
      if (live === undefined) throw notFound(asked);
      const object = patchJson(asJson(live.object), operations, asked);
      return updateWrite(world, writeOf(client, { asked, resource, key }, "Update"), {
        live,
        object,
      });
    },
    remove: async (kind, key, preconditions) => {
      const asked: Asked = { verb: "delete", resource: named(kind), ...key };
      const resource = client.resourceOf(kind);
      const live = resource && world.store.get(resource, storeKey(key));
      if (live === undefined) return;
      const { uid = "", resourceVersion = "" } = live.object.metadata;
      if ((preconditions.uid ?? uid) !== uid)
        throw conflict(
          asked,
          `Precondition failed: UID in precondition: ${preconditions.uid}, UID in object meta: ${uid}`,
        );
      if ((preconditions.resourceVersion ?? resourceVersion) !== resourceVersion)
        throw conflict(
          asked,
          `Precondition failed: ResourceVersion in precondition: ${preconditions.resourceVersion}, ResourceVersion in object meta: ${resourceVersion}`,
        );
      removeWrite(world, live);
    },
    recordEvent: async (note) => await recordEvent(cluster, note, world.now()),
  };
  return cluster;
}

function applyAs(
  client: Client,
  object: KubeObject,
  subresource: Manager["subresource"],
): KubeObject {
  const given = copyJson(object);
  if (!isObject(given)) throw new TypeError("an object of the Kubernetes API is expected");
  const metadata = metadataOf(given);
  const key: Key = {
    namespace: textOf(metadata["namespace"]),
    name: textOf(metadata["name"]),
  };
  const asked: Asked = { verb: "apply", resource: named(object), ...key };
  const resource = servedKind(client, asked, object);
  if (subresource === "status" && !resource.hasStatus) throw notServed(asked);
  if (key.name === "") throw badRequest(asked, "metadata.name: Required value: name is required");
  const write = writeOf(client, { asked, resource, key }, "Apply");
  return applyWrite(client.world, { ...write, writer: { ...write.writer, subresource } }, given);
}

function writeOf(
  client: Client,
  at: Pick<Write, "asked" | "resource" | "key">,
  operation: Manager["operation"],
): Write {
  return { ...at, writer: { name: client.manager, operation, subresource: "" } };
}

function release(
  world: World,
  resource: Resource,
  change: { object: KubeObject; owners: readonly OwnerReference[] },
): void {
  const { object, owners } = change;
  const { namespace, name } = object.metadata;
  const live = world.store.get(resource, storeKey({ namespace, name }));
  if (live === undefined) return;
  const asked: Asked = { verb: "patch", resource, namespace, name };
  const metadata = { ...object.metadata, ownerReferences: owners };
  updateWrite(
    world,
    {
      asked,
      resource,
      key: { namespace, name },
      writer: { name: "kube-controller-manager", operation: "Update", subresource: "" },
    },
    { live, object: copyJson({ ...object, metadata }) as JsonObject },
  );
}

function servedKind(
  client: Client,
  asked: Asked,
  kind: { apiVersion: string; kind: string },
): Resource {
  const resource = client.resourceOf(kind);
  if (resource === undefined) throw notServed(asked);
  return resource;
}

function listing(kind: Kind, options: { namespace?: string }): Asked {
  return { verb: "list", resource: named(kind), namespace: options.namespace };
}

function named(kind: { apiVersion: string; kind: string; plural?: unknown }): Asked["resource"] {
  const group = kind.apiVersion.includes("/") ? `.${kind.apiVersion.split("/")[0]}` : "";
  const known = Object.values(kinds).find((candidate) => isKind(candidate, kind));
  const plural = typeof kind.plural === "string" ? kind.plural : (known?.plural ?? kind.kind);
  return { apiVersion: kind.apiVersion, kind: kind.kind, groupResource: `${plural}${group}` };
}

function isKind(
  a: { apiVersion: string; kind: string },
  b: { apiVersion: string; kind: string },
): boolean {
  return a.apiVersion === b.apiVersion && a.kind === b.kind;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
