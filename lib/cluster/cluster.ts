import type { Key } from "../names.ts";
import type { Kind } from "./kinds.ts";

/** `ObjectReference` of a controller (meta/v1 OwnerReference). */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

/** The parts of meta/v1 ObjectMeta that are read or written. All but the name and namespace come from the server. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
}

/** Any object of the Kubernetes API. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/** What a list is narrowed by. Selectors are in Kubernetes' own syntax; without a namespace: all namespaces. */
export interface ListOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Objects a page, at most. */
  readonly limit?: number;
  /** The `next` of the page before. */
  readonly continue?: string;
}

/** One page of a list; `next` is there while more follow. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next?: string;
}

/** A row of a Table (meta/v1): cells by their column's name; metadata where it was asked for. */
export interface Row {
  readonly cells: Readonly<Record<string, unknown>>;
  readonly metadata?: ObjectMeta;
}

/** What must still hold when an object is removed; the server answers 409 where it does not. */
export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** A Kubernetes Event about a mock. The same mock, reason and note within an hour is one Event with a count. */
export interface EventNote {
  readonly about: KubeObject;
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly note: string;
}

/**
 * The port to the Kubernetes API: all that the functions may ask of a cluster. Every call ends within 10 seconds or fails;
 * every failure is a `ClusterError`. One instance has one identity and one field manager.
 */
export interface Cluster {
  /** Answers the object, or undefined where there is none. */
  get(kind: Kind, key: Key): Promise<KubeObject | undefined>;
  /** Answers a page of whole objects, in the order of namespace and name. */
  list(kind: Kind, options: ListOptions): Promise<Page<KubeObject>>;
  /** Answers a page of metadata alone (`PartialObjectMetadataList`). */
  listMetadata(kind: Kind, options: ListOptions): Promise<Page<ObjectMeta>>;
  /** Answers a page in Table form, all columns (also those of `-o wide`); with `include: "None"` rows carry no metadata. */
  listRows(kind: Kind, options: ListOptions & { include: "None" | "Metadata" }): Promise<Page<Row>>;
  /**
   * Server-side apply of the whole object, forced. With `metadata.resourceVersion`: 409 where the object has another one
   * (on an absent object it is ignored). Answers the object as stored.
   */
  apply(object: KubeObject): Promise<KubeObject>;
  /** The same of the status subresource; spec and metadata of the given object are ignored. */
  applyStatus(object: KubeObject): Promise<KubeObject>;
  /** JSON Patch (RFC 6902) of the main resource; a failed `test` operation is an `invalid` error (422). Answers the object as stored. */
  patch(kind: Kind, key: Key, operations: readonly JsonPatch[]): Promise<KubeObject>;
  /** Removes the object, its dependents in the background. An absent object is no error. */
  remove(kind: Kind, key: Key, preconditions: Preconditions): Promise<void>;
  /** Records a Kubernetes Event. */
  recordEvent(event: EventNote): Promise<void>;
}

/** One operation of a JSON Patch (RFC 6902) as far as it is used. */
export type JsonPatch =
  | { readonly op: "test" | "add" | "replace"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string };
