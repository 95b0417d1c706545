import type {
  Cluster,
  JsonPatch,
  KubeObject,
  ListOptions,
  Page,
} from "../../lib/cluster/cluster.ts";
import { ClusterError } from "../../lib/cluster/errors.ts";
import { type Kind, kinds } from "../../lib/cluster/kinds.ts";

/** A request to the API server, read whole. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** An answer: JSON, or text where a kind is not served. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

interface Target {
  readonly kind: Kind;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly isStatus: boolean;
  readonly query: URLSearchParams;
}

/** Answers the request as a Kubernetes API server would, from a cluster that is seen by field manager. */
export async function answerApi(
  request: ApiRequest,
  as: (manager: string) => Cluster,
): Promise<ApiAnswer> {
  const target = targetOf(request.url);
  if (target === undefined) return notServed;
  const cluster = as(target.query.get("fieldManager") ?? "unknown");
  try {
    return { status: 200, body: await dispatch(request, target, cluster) };
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return error.class === "unknown-kind" ? notServed : statusOf(error, target);
  }
}

const notServed: ApiAnswer = { status: 404, body: "404 page not found\n" };

async function dispatch(request: ApiRequest, target: Target, cluster: Cluster): Promise<unknown> {
  const { kind, name, namespace = "" } = target;
  if (name === undefined) return await listForm(request, target, cluster);
  const key = { namespace, name };
  if (request.method === "GET") return (await cluster.get(kind, key)) ?? absent(target);
  if (request.method === "DELETE") {
    const options = JSON.parse(request.body) as {
      preconditions?: object;
      propagationPolicy?: string;
    };
    if (options.propagationPolicy !== "Background") throw refused(415, "Background is expected");
    if ((await cluster.get(kind, key)) === undefined) return absent(target);
    await cluster.remove(kind, key, options.preconditions ?? {});
    return { apiVersion: "v1", kind: "Status", status: "Success" };
  }
  return await patched(request, target, cluster);
}

async function patched(request: ApiRequest, target: Target, cluster: Cluster): Promise<unknown> {
  const { kind, name = "", namespace = "", query } = target;
  const body: unknown = JSON.parse(request.body);
  const type = String(request.headers["content-type"]);
  switch (type) {
    case "application/json-patch+json":
      return await cluster.patch(kind, { namespace, name }, body as JsonPatch[]);
    case "application/apply-patch+yaml": {
      if (query.get("force") !== "true" || query.get("fieldValidation") !== "Strict") {
        throw refused(409, "an apply is forced and strict");
      }
      const object = body as KubeObject;
      return target.isStatus ? await cluster.applyStatus(object) : await cluster.apply(object);
    }
    default:
      throw refused(415, `the body of the request was in an unknown format: ${type}`);
  }
}

async function listForm(request: ApiRequest, target: Target, cluster: Cluster): Promise<unknown> {
  const { kind, query } = target;
  const options = listOptions(target);
  const accept = String(request.headers["accept"]);
  if (accept.includes("as=PartialObjectMetadataList")) {
    const page = await cluster.listMetadata(kind, options);
    return {
      ...listHead("PartialObjectMetadataList", page),
      items: page.items.map((metadata) => ({ metadata })),
    };
  }
  if (accept.includes("as=Table")) {
    const include = query.get("includeObject") === "None" ? "None" : "Metadata";
    const page = await cluster.listRows(kind, { ...options, include });
    const columns = Object.keys(page.items[0]?.cells ?? {});
    return {
      ...listHead("Table", page),
      columnDefinitions: columns.map((name) => ({ name, type: "string" })),
      rows: page.items.map(({ cells, metadata }) => ({
        cells: columns.map((column) => cells[column]),
        object: metadata === undefined ? null : { metadata },
      })),
    };
  }
  const page = await cluster.list(kind, options);
  // As the real one: only items of custom resources say what they are.
  const items = page.items.map((item) => {
    const { apiVersion, kind, ...rest } = item;
    return apiVersion.includes(".") ? { apiVersion, kind, ...rest } : rest;
  });
  return { ...listHead(`${kind.kind}List`, page), items };
}

function listHead(kind: string, page: Page<unknown>): object {
  return { apiVersion: "v1", kind, metadata: { continue: page.next ?? "" } };
}

function listOptions({ namespace, query }: Target): ListOptions {
  const limit = query.get("limit");
  const texts = ["labelSelector", "fieldSelector", "continue"].flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [[name, value]];
  });
  return {
    ...(Object.fromEntries(texts) as ListOptions),
    ...(namespace === undefined ? {} : { namespace }),
    ...(limit === null ? {} : { limit: Number(limit) }),
  };
}

function targetOf(url: string): Target | undefined {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const found =
    /^\/(?:api|apis)\/(?<version>v1|[^/]+\/[^/]+)(?:\/namespaces\/(?<namespace>[^/]+))?\/(?<plural>[^/]+)(?:\/(?<name>[^/]+))?(?<status>\/status)?$/.exec(
      pathname,
    )?.groups;
  const kind = Object.values(kinds).find(
    (kind) => kind.apiVersion === found?.["version"] && kind.plural === found["plural"],
  );
  if (found === undefined || kind === undefined) return undefined;
  const part = (name: string): string | undefined =>
    found[name] === undefined ? undefined : decodeURIComponent(found[name]);
  return {
    kind,
    namespace: part("namespace"),
    name: part("name"),
    isStatus: found["status"] !== undefined,
    query: searchParams,
  };
}

function absent({ kind, name = "" }: Target): never {
  throw new ClusterError({
    asked: "",
    status: 404,
    reason: "NotFound",
    detail: `${kind.plural} "${name}" not found`,
    class: "terminating",
  });
}

function refused(status: number, detail: string): ClusterError {
  return new ClusterError({ asked: "", status, reason: "", detail, class: "invalid" });
}

/** The details that a client tells the class by. */
function statusOf(error: ClusterError, target: Target): ApiAnswer {
  const causes =
    error.status === 403 && error.class === "terminating"
      ? [{ reason: "NamespaceTerminating" }]
      : error.status === 422 && error.class === "again"
        ? [{ field: "metadata.ownerReferences" }]
        : [];
  const details = error.status === 404 ? { name: target.name, causes } : { causes };
  return {
    status: error.status,
    body: {
      apiVersion: "v1",
      kind: "Status",
      status: "Failure",
      code: error.status,
      reason: error.reason,
      message: error.detail,
      details,
    },
  };
}
