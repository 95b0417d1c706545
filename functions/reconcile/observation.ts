import type { APIMock } from "../../lib/apimock.ts";
import type {
  Cluster,
  KubeObject,
  ListOptions,
  ObjectMeta,
  Page,
} from "../../lib/cluster/cluster.ts";
import { ClusterError } from "../../lib/cluster/errors.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import type { Key } from "../../lib/names.ts";
import { configMapName, hashOfConfigMap, mockLabel } from "../../lib/names.ts";
import { ownershipOf } from "./ownership.ts";
import { noWorkload, type Workload, workloadOf } from "./workload.ts";

/** What was read of a mock, children first: whatever is decided about the mock is then decided on children at least as old. */
export interface Observation {
  readonly kservice?: KubeObject;
  readonly revisions: readonly KubeObject[];
  /** Metadata of the ConfigMaps that carry the mock's label, whoever owns them. */
  readonly configMaps: readonly ObjectMeta[];
  readonly mock?: APIMock;
  /** The cluster let the children not be read; then nothing may be concluded about them. */
  readonly denied?: ClusterError;
}

/**
 * Reads the children, then the mock: four calls. What refers is read before what is referred to (KService, then Revisions and ConfigMaps), so that nothing
 * looks lost that is only younger than the list. Kinds that the cluster does not serve are as if empty. Throws a `ClusterError`.
 */
async function observe(key: Key, cluster: Cluster): Promise<Observation> {
  const children = await denialAsValue(async () => await readChildren(key, cluster));
  const mock = (await cluster.get(kinds.apimock, key)) as APIMock | undefined;
  return { ...children, ...(mock === undefined ? {} : { mock }) };
}

/**
 * The same, with the ConfigMaps that are referred to and were not listed: somebody took their label away, or they are gone. No call where all are
 * listed.
 */
export async function observeWhole(key: Key, cluster: Cluster): Promise<Observation> {
  const seen = await observe(key, cluster);
  if (seen.mock === undefined) return seen;
  const listed = new Set(seen.configMaps.map(({ name }) => name));
  const missing = [...new Set(referredTo(seen, seen.mock))].filter((name) => !listed.has(name));
  const found = await Promise.all(
    missing.map(
      async (name) => await cluster.get(kinds.configMap, { namespace: key.namespace, name }),
    ),
  );
  const metadata = found.flatMap((object) => (object === undefined ? [] : [object.metadata]));
  return metadata.length === 0 ? seen : { ...seen, configMaps: [...seen.configMaps, ...metadata] };
}

function referredTo(seen: Observation, mock: APIMock): string[] {
  const { mounted, routed } = workloadSeen(seen, mock);
  const noted = mock.status?.definition?.hash;
  const names = [mounted, ...routed, noted && configMapName(mock.metadata.name, noted)];
  return names.flatMap((name) =>
    name !== undefined && hashOfConfigMap(mock.metadata.name, name) !== undefined ? [name] : [],
  );
}

/** Answers what the mock's workload was seen to do; one that is somebody else's is as if it were not there. */
export function workloadSeen({ kservice, revisions }: Observation, mock: APIMock): Workload {
  if (kservice === undefined || ownershipOf(kservice.metadata, mock) === "taken") return noWorkload;
  return workloadOf(kservice, revisions);
}

async function readChildren(key: Key, cluster: Cluster): Promise<Omit<Observation, "mock">> {
  const { namespace, name } = key;
  const kservice = await unlessUnserved(async () => await cluster.get(kinds.kservice, key));
  const [revisions, configMaps] = await Promise.all([
    unlessUnserved(
      async () =>
        await all(async (page) => await cluster.list(kinds.revision, page), {
          namespace,
          labelSelector: `serving.knative.dev/service=${name}`,
        }),
    ),
    all(async (page) => await cluster.listMetadata(kinds.configMap, page), {
      namespace,
      labelSelector: `${mockLabel}=${name}`,
    }),
  ]);
  return { revisions: revisions ?? [], configMaps, ...(kservice ? { kservice } : {}) };
}

/** Answers every item of a list, page by page. */
async function all<Item>(
  list: (options: ListOptions) => Promise<Page<Item>>,
  options: ListOptions,
): Promise<Item[]> {
  const items: Item[] = [];
  let page = await list(options);
  items.push(...page.items);
  while (page.next !== undefined) {
    page = await list({ ...options, continue: page.next });
    items.push(...page.items);
  }
  return items;
}

async function unlessUnserved<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ClusterError && error.class === "unknown-kind") return undefined;
    throw error;
  }
}

async function denialAsValue(
  read: () => Promise<Omit<Observation, "mock">>,
): Promise<Omit<Observation, "mock">> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ClusterError) || error.class !== "forbidden") throw error;
    return { revisions: [], configMaps: [], denied: error };
  }
}
