import type { SharedConfigMap } from "../../lib/applied.ts";
import type { Cluster, ListOptions, Page } from "../../lib/cluster/cluster.ts";
import { ClusterError } from "../../lib/cluster/errors.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import { definitionLabel, mockLabel } from "../../lib/names.ts";
import type { Known } from "./checks.ts";
import { type ChildRow, childOf, childOfRow, type MockRow, mockOfRow, sharedOf } from "./rows.ts";

/** Kinds of workloads; each is one list. */
const workloads = [kinds.kservice] as const;

/** Objects a page. */
const limit = 500;

/**
 * Answers what is known of every mock, by lists that hold no definition: rows and metadata, page by page. What is kept of an object is its name, uid
 * and generation. Kinds that the cluster does not serve have no objects. Throws a `ClusterError`.
 */
export async function survey(cluster: Cluster): Promise<Known[]> {
  const mocks: MockRow[] = [];
  const children = new Map<string, ChildRow[]>();
  const shared = new Map<string, SharedConfigMap>();
  const keep = (row: ChildRow | undefined): void => {
    if (row === undefined) return;
    const siblings = children.get(row.owner);
    if (siblings === undefined) children.set(row.owner, [row]);
    else siblings.push(row);
  };

  const labelled = { labelSelector: mockLabel, limit };
  for (const kind of workloads)
    await each(
      async (page) =>
        await served(async () => await cluster.listRows(kind, { ...page, include: "Metadata" })),
      labelled,
      (row) => keep(childOfRow(kind, row)),
    );
  await each(
    async (page) => await cluster.listMetadata(kinds.configMap, page),
    labelled,
    (metadata) => keep(childOf(kinds.configMap, metadata)),
  );
  await each(
    async (page) => await cluster.listMetadata(kinds.configMap, page),
    { labelSelector: `${definitionLabel}=true`, limit },
    (metadata) => shared.set(placeOf(metadata), sharedOf(metadata)),
  );
  // Without metadata: kubectl keeps a copy of the definition in an annotation.
  await each(
    async (page) => await cluster.listRows(kinds.apimock, { ...page, include: "None" }),
    { limit },
    (row) => mocks.push(mockOfRow(row)),
  );
  return mocks.map((mock) => {
    const source = shared.get(placeOf({ ...mock, name: mock.definitionFrom }));
    const own = children.get(mock.uid) ?? [];
    return { mock, children: own, ...(source === undefined ? {} : { shared: source }) };
  });
}

async function each<Item>(
  list: (options: ListOptions) => Promise<Page<Item>>,
  options: ListOptions,
  take: (item: Item) => void,
): Promise<void> {
  let page = await list(options);
  page.items.forEach(take);
  while (page.next !== undefined) {
    page = await list({ ...options, continue: page.next });
    page.items.forEach(take);
  }
}

async function served<Item>(list: () => Promise<Page<Item>>): Promise<Page<Item>> {
  try {
    return await list();
  } catch (error) {
    if (error instanceof ClusterError && error.class === "unknown-kind") return { items: [] };
    throw error;
  }
}

function placeOf({ namespace, name }: { namespace: string; name: string }): string {
  return `${namespace}/${name}`;
}
