import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import type { Cluster } from "../../lib/cluster/cluster.ts";
import { type ApiAnswer, type ApiRequest, answerApi } from "./api-routes.ts";

const folder = new URL("../fixtures/tls/", import.meta.url);

/** Answers a file of `test/fixtures/tls`. */
export function tlsFile(name: string): string {
  return readFileSync(new URL(name, folder), "utf8");
}

/** What goes wrong with one request: no answer at all, a first byte only, a cut connection, or an answer of the test's own. */
export type Fault = "hang" | "stall" | "reset" | ApiAnswer;

/** What the server does beside serving the cluster. */
export interface ApiOptions {
  /** Asked before each request is answered. */
  readonly fault?: (request: ApiRequest) => Fault | undefined;
  /** Bearer tokens that are let in; absent: everybody is. */
  readonly tokens?: () => readonly string[];
  /** Lets in only who shows a client certificate with the common name `tester`. */
  readonly clientCertificate?: boolean;
}

/** A Kubernetes API server on this machine, TLS, for tests over the real wire. */
export interface ApiServer {
  readonly url: string;
  readonly requests: readonly ApiRequest[];
  /** Connections that were ever made. */
  connections(): number;
  /** Closes connections that wait for a request, as a server does after its idle time. */
  closeIdle(): void;
  /** Writes a kubeconfig whose user has these fields; answers the file. It goes with the server. */
  kubeconfig(user?: object, cluster?: object): string;
  close(): Promise<void>;
}

/** Starts the server over a cluster that is seen by field manager (`memory.as`). */
export async function startApiServer(
  as: (manager: string) => Cluster,
  options: ApiOptions = {},
): Promise<ApiServer> {
  const requests: ApiRequest[] = [];
  const files = mkdtempSync(join(tmpdir(), "apirator-api-"));
  const server = createServer({
    key: tlsFile("server.key"),
    cert: tlsFile("server.crt"),
    ca: tlsFile("ca.crt"),
    requestCert: options.clientCertificate ?? false,
    rejectUnauthorized: false,
  });
  let connections = 0;
  server.on("secureConnection", () => {
    connections += 1;
  });
  server.on("request", (incoming, outgoing) => {
    void (async () => {
      const request = await readRequest(incoming);
      requests.push(request);
      const fault = options.fault?.(request);
      if (fault === undefined && !isLetIn(incoming, options)) return write(outgoing, unauthorized);
      if (fault !== undefined) return fail(outgoing, fault);
      write(outgoing, await answerApi(request, as));
    })().catch((error: unknown) =>
      write(outgoing, { status: 500, body: { message: String(error) } }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    connections: () => connections,
    closeIdle: () => server.closeIdleConnections(),
    kubeconfig: (user = {}, cluster = {}) => {
      const file = join(files, "kubeconfig");
      writeFileSync(file, kubeconfigText({ server: url, ...cluster }, user));
      return file;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(files, { recursive: true });
    },
  };
}

/** Answers a kubeconfig (JSON is YAML too) of one context, `test`, that trusts the tests' certificates. */
function kubeconfigText(cluster: object, user: object): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "test",
    contexts: [{ name: "test", context: { cluster: "here", user: "me" } }],
    clusters: [
      {
        name: "here",
        cluster: {
          "certificate-authority-data": Buffer.from(tlsFile("ca.crt")).toString("base64"),
          ...cluster,
        },
      },
    ],
    users: [{ name: "me", user }],
  });
}

const unauthorized: ApiAnswer = {
  status: 401,
  body: { kind: "Status", reason: "Unauthorized", message: "Unauthorized" },
};

function isLetIn(incoming: IncomingMessage, options: ApiOptions): boolean {
  if (options.clientCertificate === true) {
    const socket = incoming.socket as TLSSocket;
    return socket.authorized && socket.getPeerCertificate().subject.CN === "tester";
  }
  const token = incoming.headers.authorization?.replace(/^Bearer /, "") ?? "";
  return options.tokens?.().includes(token) ?? true;
}

async function readRequest(incoming: IncomingMessage): Promise<ApiRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  const { method = "", url = "", headers } = incoming;
  return { method, url, headers, body: Buffer.concat(chunks).toString("utf8") };
}

function fail(outgoing: ServerResponse, fault: Fault): void {
  if (fault === "hang") return;
  if (fault === "stall") {
    outgoing.write("{");
    return;
  }
  if (fault === "reset") {
    outgoing.socket?.destroy();
    return;
  }
  write(outgoing, fault);
}

function write(outgoing: ServerResponse, { status, body }: ApiAnswer): void {
  const isText = typeof body === "string";
  outgoing.writeHead(status, { "Content-Type": isText ? "text/plain" : "application/json" });
  outgoing.end(isText ? body : JSON.stringify(body));
}
