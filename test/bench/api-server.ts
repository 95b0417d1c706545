import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** A call that the API server saw. */
export interface Call {
  readonly path: string;
  readonly accept: string;
}

/** An API server over TLS in which nothing is: every object is absent, every list empty. It notes what it is asked. */
export interface EmptyApiServer {
  readonly url: string;
  readonly caFile: string;
  /** A kubeconfig that leads there, with a token. */
  readonly kubeconfig: string;
  /** The calls since the last time, in order. */
  takeCalls(): Call[];
  close(): void;
}

/** Starts it on loopback; writes the kubeconfig into the folder. */
export async function emptyApiServer(folder: string): Promise<EmptyApiServer> {
  const tls = new URL("../fixtures/tls/", import.meta.url);
  const caFile = new URL("ca.crt", tls).pathname;
  let calls: Call[] = [];
  const server = createServer(
    {
      cert: readFileSync(new URL("server.crt", tls)),
      key: readFileSync(new URL("server.key", tls)),
    },
    (request, response) => {
      const path = request.url ?? "/";
      const accept = request.headers.accept ?? "";
      calls.push({ path, accept });
      const { status, body } = answer(path, accept);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    },
  );
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "bench",
      contexts: [{ name: "bench", context: { cluster: "bench", user: "bench" } }],
      clusters: [{ name: "bench", cluster: { server: url, "certificate-authority": caFile } }],
      users: [{ name: "bench", user: { token: "bench" } }],
    }),
  );
  return {
    url,
    caFile,
    kubeconfig,
    takeCalls() {
      const taken = calls;
      calls = [];
      return taken;
    },
    close: () => server.close(),
  };
}

function answer(path: string, accept: string): { status: number; body: unknown } {
  const { pathname } = new URL(path, "https://x");
  const plural = pathname.split("/").at(-1) ?? "";
  if (
    !["apimocks", "configmaps", "services", "revisions", "deployments", "ingresses"].includes(
      plural,
    )
  )
    return {
      status: 404,
      body: {
        kind: "Status",
        apiVersion: "v1",
        status: "Failure",
        reason: "NotFound",
        code: 404,
        message: `${pathname} not found`,
      },
    };
  if (accept.includes("as=Table"))
    return {
      status: 200,
      body: {
        kind: "Table",
        apiVersion: "meta.k8s.io/v1",
        metadata: {},
        columnDefinitions: [],
        rows: [],
      },
    };
  return { status: 200, body: { kind: "List", apiVersion: "v1", metadata: {}, items: [] } };
}
