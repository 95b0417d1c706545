import { manager as defaultManager } from "../names.ts";
import type { Cluster, KubeObject, ListOptions, ObjectMeta, Page, Row } from "./cluster.ts";
import { ClusterError } from "./errors.ts";
import { recordEvent } from "./event.ts";
import { type Send, sender } from "./http-call.ts";
import { type Kind, kindOf, pathOf } from "./kinds.ts";
import type { Access } from "./kubeconfig.ts";

/** What may be set for the HTTP port; the defaults are those of production. */
export interface HttpOptions {
  /** Field manager of every write. */
  readonly manager?: string;
  readonly userAgent?: string;
  /** Milliseconds that a call may take, credentials and the whole answer included. */
  readonly timeout?: number;
  /** Bytes that an answer may have. */
  readonly maxAnswer?: number;
  readonly now?: () => Date;
}

/**
 * Answers the port to a Kubernetes API server over HTTP(S). `find` answers where it is and who asks, and is asked again after a 401.
 * It throws where the configuration is broken (`KubeConfigError`); the port's calls fail with a `ClusterError` alone.
 */
export function httpCluster(find: () => Access, options: HttpOptions = {}): Cluster {
  const { manager = defaultManager, userAgent = "apirator", now = () => new Date() } = options;
  const limits = { timeout: options.timeout ?? 10_000, answer: options.maxAnswer ?? 32 * 2 ** 20 };
  const send = sender(find, limits, userAgent);

  /** Strict: a field that the server does not know would be dropped and look like drift for ever. */
  const apply = async (object: KubeObject, subresource?: "status"): Promise<KubeObject> => {
    const kind = knownKind(object);
    const { namespace, name } = object.metadata;
    const path = pathOf(kind, { namespace, name, ...(subresource ? { subresource } : {}) });
    const query = queryOf({ fieldManager: manager, force: "true", fieldValidation: "Strict" });
    return (await send({
      method: "PATCH",
      path: `${path}${query}`,
      contentType: "application/apply-patch+yaml",
      body: JSON.stringify(object),
    })) as KubeObject;
  };

  const cluster: Cluster = {
    get: async (kind, key) =>
      await unlessAbsent(
        async () => (await send({ method: "GET", path: pathOf(kind, key) })) as KubeObject,
      ),
    list: async (kind, options) => {
      const list = await listed<KubeObject>(send, kind, options);
      // Items of a built-in kind's list do not say what they are.
      return pageOf(list, (item) => ({ ...item, apiVersion: kind.apiVersion, kind: kind.kind }));
    },
    listMetadata: async (kind, options) => {
      const list = await listed<KubeObject>(send, kind, options, {
        as: "PartialObjectMetadataList",
      });
      return pageOf(list, (item) => item.metadata);
    },
    listRows: async (kind, options) => {
      const form = { as: "Table", includeObject: options.include };
      const table = await listed<never>(send, kind, options, form);
      const columns = (table.columnDefinitions ?? []).map((column) => column.name);
      return pageOf({ ...table, items: table.rows ?? [] }, (row) => rowOf(columns, row));
    },
    apply: async (object) => await apply(object),
    applyStatus: async ({ apiVersion, kind, metadata, status }) => {
      const { namespace, name, uid, resourceVersion } = metadata;
      const identity = { namespace, name, ...defined({ uid, resourceVersion }) };
      return await apply({ apiVersion, kind, metadata: identity, status }, "status");
    },
    patch: async (kind, key, operations) =>
      (await send({
        method: "PATCH",
        path: `${pathOf(kind, key)}${queryOf({ fieldManager: manager })}`,
        contentType: "application/json-patch+json",
        body: JSON.stringify(operations),
      })) as KubeObject,
    remove: async (kind, key, { uid, resourceVersion }) => {
      const body = JSON.stringify({
        apiVersion: "v1",
        kind: "DeleteOptions",
        propagationPolicy: "Background",
        preconditions: { uid, resourceVersion },
      });
      await unlessAbsent(
        async () => await send({ method: "DELETE", path: pathOf(kind, key), body }),
      );
    },
    recordEvent: async (note) => await recordEvent(cluster, note, now()),
  };
  return cluster;
}

function knownKind({ apiVersion, kind }: KubeObject): Kind {
  const known = kindOf({ apiVersion, kind });
  if (known !== undefined) return known;
  const detail = `${apiVersion} ${kind} is not among the kinds that are used`;
  const asked = `apply ${kind}`;
  throw new ClusterError({ asked, status: 0, reason: "", detail, class: "unknown-kind" });
}

/** The list forms of the API: a plain list, PartialObjectMetadataList and Table (meta/v1). */
interface List<Item> {
  readonly metadata?: { readonly continue?: string };
  readonly items?: readonly Item[];
  readonly columnDefinitions?: readonly { readonly name: string }[];
  readonly rows?: readonly TableRow[];
}

interface TableRow {
  readonly cells: readonly unknown[];
  readonly object?: { readonly metadata?: ObjectMeta };
}

async function listed<Item>(
  send: Send,
  kind: Kind,
  options: ListOptions,
  form?: { as: string; includeObject?: string },
): Promise<List<Item>> {
  const { namespace, labelSelector, fieldSelector, limit } = options;
  const query = queryOf({
    labelSelector,
    fieldSelector,
    limit: limit === undefined ? undefined : String(limit),
    continue: options.continue,
    includeObject: form?.includeObject,
  });
  const accept = `application/json${form === undefined ? "" : `;as=${form.as};v=v1;g=meta.k8s.io`}`;
  return (await send({
    method: "GET",
    path: `${pathOf(kind, { namespace })}${query}`,
    accept,
  })) as List<Item>;
}

function pageOf<Item, Result>(list: List<Item>, each: (item: Item) => Result): Page<Result> {
  const items = (list.items ?? []).map(each);
  const next = list.metadata?.continue;
  return next ? { items, next } : { items };
}

function rowOf(columns: readonly string[], row: TableRow): Row {
  const cells = Object.fromEntries(columns.map((column, index) => [column, row.cells[index]]));
  const metadata = row.object?.metadata;
  return metadata === undefined ? { cells } : { cells, metadata };
}

async function unlessAbsent<Value>(call: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ClusterError && error.status === 404) return undefined;
    throw error;
  }
}

function queryOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(defined(parameters)).toString();
  return query === "" ? "" : `?${query}`;
}

function defined(fields: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Record<string, string>;
}
