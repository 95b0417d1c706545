import type { Cluster, KubeObject } from "../../lib/cluster/cluster.ts";
import { ClusterError } from "../../lib/cluster/errors.ts";
import type { Kind } from "../../lib/cluster/kinds.ts";
import type { Key } from "../../lib/names.ts";

/** A cluster that the contract is asked of: empty or in use, in memory or real. */
export interface ContractWorld {
  /** The port with the field manager `apirator`. */
  readonly cluster: Cluster;
  /** The same cluster as another field manager. */
  as(manager: string): Cluster;
  /** A namespace that exists and that nobody else uses. */
  readonly namespace: string;
  /** Ends it, and takes away what the tests left where it outlives them. */
  close(): Promise<void>;
}

/** What a test of the contract works with: the world, and names that no other test uses. */
export interface Ground {
  readonly cluster: Cluster;
  as(manager: string): Cluster;
  readonly namespace: string;
  /** Answers a name that was not answered before. */
  name(prefix?: string): string;
}

/** Answers the ground of a world that is there once tests run. */
export function groundOf(world: () => ContractWorld): Ground {
  let names = 0;
  return {
    get cluster() {
      return world().cluster;
    },
    as: (manager) => world().as(manager),
    get namespace() {
      return world().namespace;
    },
    name: (prefix = "it") => `${prefix}-${(names += 1)}`,
  };
}

/** Answers an APIMock with the smallest spec. */
export function mockOf(ground: Ground, name: string, more: MockParts = {}): KubeObject {
  return {
    apiVersion: "apirator.io/v1alpha1",
    kind: "APIMock",
    metadata: { namespace: ground.namespace, name, ...more.metadata },
    spec: more.spec ?? { definition: "openapi: 3.1.0" },
    ...(more.status === undefined ? {} : { status: more.status }),
  };
}

interface MockParts {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}

/** Answers a ConfigMap; `fields` lie beside the metadata. */
export function configMapOf(
  ground: Ground,
  name: string,
  more: { metadata?: object; fields?: object } = {},
): KubeObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace: ground.namespace, name, ...more.metadata },
    ...more.fields,
  };
}

/** Answers the key of an object. */
export function keyOf(object: KubeObject): Key {
  return { namespace: object.metadata.namespace, name: object.metadata.name };
}

/** Answers an owner reference to the object, as its controller unless told otherwise. */
export function ownedBy(owner: KubeObject, controller = true): object {
  const { apiVersion, kind, metadata } = owner;
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller };
}

/** Answers what the call failed with; fails the test where it went through, or failed with something else. */
export async function failureOf(call: Promise<unknown>): Promise<ClusterError> {
  const error: unknown = await call.then(
    (value) => new Error(`a failure was expected, not ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (error instanceof ClusterError) return error;
  throw error;
}

/** Answers what is left of an object once it is gone, undefined, or after the time that a real cluster's collector may take. */
export async function leftOf(
  cluster: Cluster,
  kind: Kind,
  key: Key,
): Promise<KubeObject | undefined> {
  const deadline = Date.now() + 25_000;
  for (;;) {
    const left = await cluster.get(kind, key);
    if (left === undefined || Date.now() > deadline) return left;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
