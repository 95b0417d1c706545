import { afterEach, expect, test } from "vitest";
import type { Cluster, KubeObject } from "../../lib/cluster/cluster.ts";
import { ClusterError } from "../../lib/cluster/errors.ts";
import { type HttpOptions, httpCluster } from "../../lib/cluster/http.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import { findAccess } from "../../lib/cluster/kubeconfig.ts";
import {
  type ApiOptions,
  type ApiServer,
  type Fault,
  startApiServer,
} from "../support/api-server.ts";
import { testCluster } from "../support/memory.ts";

const servers: ApiServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map(async (server) => await server.close()));
});

async function start(
  options: ApiOptions = {},
  http: HttpOptions = {},
): Promise<{ server: ApiServer; cluster: Cluster }> {
  const memory = testCluster();
  const server = await startApiServer((manager) => memory.as(manager), options);
  servers.push(server);
  const KUBECONFIG = server.kubeconfig();
  return { server, cluster: httpCluster(() => findAccess({ environment: { KUBECONFIG } }), http) };
}

const key = { namespace: "default", name: "bets" };

function configMap(data: Record<string, string> = {}): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: key, data };
}

const mock: KubeObject = {
  apiVersion: "apirator.io/v1alpha1",
  kind: "APIMock",
  metadata: { ...key, uid: "u-1" },
  spec: { definition: "openapi: 3.1.0" },
};

async function failure(call: Promise<unknown>): Promise<ClusterError> {
  const error: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (error instanceof ClusterError) return error;
  throw new Error(`a ClusterError was expected, not ${String(error)}`);
}

test("fifty calls share one connection", async () => {
  const { server, cluster } = await start();
  for (let call = 0; call < 50; call += 1) await cluster.get(kinds.configMap, key);
  expect(server.requests).toHaveLength(50);
  expect(server.connections()).toBe(1);
});

test("many calls at once share a bounded number of connections", async () => {
  const { server, cluster } = await start();
  await Promise.all(
    Array.from({ length: 100 }, async () => await cluster.get(kinds.configMap, key)),
  );
  expect(server.connections()).toBeLessThanOrEqual(16);
});

test("a connection that the server closed while idle is replaced without anybody noticing", async () => {
  let cut = false;
  const { server, cluster } = await start({
    fault: () => {
      const now = cut;
      cut = false;
      return now ? "reset" : undefined;
    },
  });
  await cluster.get(kinds.configMap, key);
  server.closeIdle();
  expect(await cluster.get(kinds.configMap, key)).toBeUndefined();
  cut = true;
  expect(await cluster.get(kinds.configMap, key)).toBeUndefined();
});

test.for<[what: string, fault: Fault]>([
  ["is never answered", "hang"],
  ["is answered in part", "stall"],
])("a call that %s fails at its time limit and can be tried again", async ([, fault]) => {
  const { cluster } = await start({ fault: () => fault }, { timeout: 300 });
  const error = await failure(cluster.get(kinds.configMap, key));
  expect(error).toMatchObject({ class: "again", status: 0 });
  expect(error.message).toMatch(/^GET https:.*\/configmaps\/bets: no answer: not within 0\.3 s$/);
});

test("an answer that is too large fails instead of filling the memory", async () => {
  const { cluster } = await start({}, { maxAnswer: 2000 });
  await cluster.apply(configMap({ small: "x" }));
  const error = await failure(cluster.apply(configMap({ large: "x".repeat(3000) })));
  expect(error).toMatchObject({ class: "again", detail: "the answer has more than 2000 bytes" });
});

test("a server that is not there, or hangs up, is a call to try again", async () => {
  const { server, cluster } = await start({ fault: () => "reset" });
  expect(await failure(cluster.get(kinds.configMap, key))).toMatchObject({ class: "again" });
  await servers.pop()?.close();
  expect((await failure(cluster.get(kinds.configMap, key))).message).toContain(
    `GET ${server.url}/api/v1/namespaces/default/configmaps/bets: no answer: connect ECONNREFUSED`,
  );
});

const causes = (cause: object): object => ({ message: "no", details: { causes: [cause] } });

test.for<[status: number, body: unknown, wanted: string]>([
  [400, { message: 'admission webhook "x" denied the request: no' }, "invalid"],
  [403, causes({ reason: "NamespaceTerminating" }), "terminating"],
  [403, { message: "no" }, "forbidden"],
  [404, "404 page not found\n", "unknown-kind"],
  [404, { message: "namespaces x not found", details: { name: "x" } }, "terminating"],
  [409, { reason: "Conflict", message: "no" }, "again"],
  [410, { reason: "Expired", message: "continue" }, "again"],
  [422, causes({ field: "spec.port" }), "invalid"],
  [422, causes({ field: "metadata.ownerReferences" }), "again"],
  [429, { message: "later" }, "again"],
  [500, { message: 'failed calling webhook "x"' }, "again"],
  [502, "<html>bad gateway</html>", "again"],
  [200, "<html>log in</html>", "again"],
])("status %i with %j is %s", async ([status, body, wanted]) => {
  const { cluster } = await start({ fault: () => ({ status, body }) });
  const error = await failure(cluster.apply(configMap()));
  expect(error.class).toBe(wanted);
  expect(error.message).not.toContain("\n");
  expect(error.isConflict).toBe(status === 409);
});

test("an apply is forced, strict, and in the name of its manager", async () => {
  const { server, cluster } = await start({}, { manager: "me" });
  await cluster.apply(configMap({ a: "1" }));
  expect(server.requests[0]).toMatchObject({
    method: "PATCH",
    url: "/api/v1/namespaces/default/configmaps/bets?fieldManager=me&force=true&fieldValidation=Strict",
    headers: { "content-type": "application/apply-patch+yaml", "user-agent": "apirator" },
  });
});

test("a status write sends identity and status alone", async () => {
  const { server, cluster } = await start();
  const stored = await cluster.apply({ ...mock, metadata: key });
  await cluster.applyStatus({ ...stored, status: { phase: "Running" } });
  const sent = server.requests.at(-1);
  expect(sent?.url).toMatch(/^\/apis\/apirator\.io\/v1alpha1\/.*\/apimocks\/bets\/status\?/);
  const { uid, resourceVersion } = stored.metadata;
  expect(JSON.parse(sent?.body ?? "")).toEqual({
    apiVersion: mock.apiVersion,
    kind: mock.kind,
    metadata: { ...key, uid, resourceVersion },
    status: { phase: "Running" },
  });
});

test("a removal is in the background and keeps to its preconditions", async () => {
  const { server, cluster } = await start();
  const { uid = "" } = (await cluster.apply(configMap())).metadata;
  expect(await failure(cluster.remove(kinds.configMap, key, { uid: "another" }))).toMatchObject({
    class: "again",
    isConflict: true,
  });
  await cluster.remove(kinds.configMap, key, { uid });
  await cluster.remove(kinds.configMap, key, { uid });
  expect(await cluster.get(kinds.configMap, key)).toBeUndefined();
  expect(JSON.parse(server.requests[1]?.body ?? "")).toMatchObject({
    propagationPolicy: "Background",
    preconditions: { uid: "another" },
  });
});

test("a list asks for pages and forms, never for more", async () => {
  const { server, cluster } = await start();
  const namespace = "default";
  await cluster.list(kinds.kservice, {
    namespace,
    labelSelector: "a in (b,c)",
    limit: 2,
  });
  await cluster.listMetadata(kinds.configMap, { fieldSelector: "metadata.name=x" });
  await cluster.listRows(kinds.apimock, { include: "None" });
  expect(server.requests.map(({ url, headers }) => `${url} ${String(headers["accept"])}`)).toEqual([
    "/apis/serving.knative.dev/v1/namespaces/default/services?labelSelector=a+in+%28b%2Cc%29&limit=2 application/json",
    "/api/v1/configmaps?fieldSelector=metadata.name%3Dx application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
    "/apis/apirator.io/v1alpha1/apimocks?includeObject=None application/json;as=Table;v=v1;g=meta.k8s.io",
  ]);
});

test("items of a list say what they are, although the API server leaves it out", async () => {
  const { cluster } = await start();
  await cluster.apply(configMap());
  expect((await cluster.list(kinds.configMap, {})).items).toMatchObject([
    { apiVersion: "v1", kind: "ConfigMap" },
  ]);
});

test("the same note within an hour is one Event with a count, later it begins anew", async () => {
  let now = new Date("2030-01-01T00:00:00Z");
  const { cluster } = await start({}, { now: () => now });
  const note = {
    about: mock,
    type: "Warning",
    reason: "DefinitionRefused",
    note: "1 error",
  } as const;
  const seen = async (): Promise<unknown[]> =>
    (await cluster.list(kinds.event, {})).items.map((event) => [
      event["count"],
      event["firstTimestamp"],
      event["lastTimestamp"],
    ]);
  await cluster.recordEvent(note);
  now = new Date("2030-01-01T00:59:00Z");
  await cluster.recordEvent(note);
  expect(await seen()).toEqual([[2, "2030-01-01T00:00:00Z", "2030-01-01T00:59:00Z"]]);
  now = new Date("2030-01-01T02:00:00Z");
  await cluster.recordEvent(note);
  expect(await seen()).toEqual([[1, "2030-01-01T02:00:00Z", "2030-01-01T02:00:00Z"]]);
  await cluster.recordEvent({ ...note, note: "2 errors" });
  expect(await seen()).toHaveLength(2);
});

test("Events are written with the rights create and patch alone", async () => {
  const { server, cluster } = await start();
  await cluster.recordEvent({
    about: mock,
    type: "Normal",
    reason: "Serving",
    note: "x".repeat(5000),
  });
  expect(server.requests.map(({ method }) => method)).toEqual(["PATCH", "PATCH"]);
});
