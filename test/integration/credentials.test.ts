import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import type { Cluster } from "../../lib/cluster/cluster.ts";
import { type HttpOptions, httpCluster } from "../../lib/cluster/http.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import { findAccess } from "../../lib/cluster/kubeconfig.ts";
import { type ApiOptions, type ApiServer, startApiServer, tlsFile } from "../support/api-server.ts";
import { testCluster } from "../support/memory.ts";

const endings: (() => unknown)[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(endings.splice(0).map(async (end) => await end()));
});

function folder(): string {
  const folder = mkdtempSync(join(tmpdir(), "apirator-credentials-"));
  endings.push(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function start(options: ApiOptions): Promise<ApiServer> {
  const memory = testCluster();
  const server = await startApiServer((manager) => memory.as(manager), options);
  endings.push(async () => await server.close());
  return server;
}

function connected(KUBECONFIG: string, options: HttpOptions = {}): Cluster {
  return httpCluster(() => findAccess({ environment: { KUBECONFIG } }), options);
}

const key = { namespace: "default", name: "absent" };

/** A credential plugin (client.authentication.k8s.io/v1) that runs the given JavaScript. */
function plugin(script: string): object {
  return {
    exec: {
      apiVersion: "client.authentication.k8s.io/v1",
      command: process.execPath,
      args: ["-e", script],
    },
  };
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

test.for<[what: string, user: object, lets: ApiOptions]>([
  ["a token", { token: "right" }, { tokens: () => ["right"] }],
  [
    "a client certificate",
    {
      "client-certificate-data": base64(tlsFile("client.crt")),
      "client-key-data": base64(tlsFile("client.key")),
    },
    { clientCertificate: true },
  ],
  [
    "a credential plugin's token",
    plugin(`console.log(JSON.stringify({status: {token: "right"}}))`),
    { tokens: () => ["right"] },
  ],
  [
    "a credential plugin's certificate",
    plugin(
      `console.log(JSON.stringify({status: ${JSON.stringify({
        clientCertificateData: tlsFile("client.crt"),
        clientKeyData: tlsFile("client.key"),
      })}}))`,
    ),
    { clientCertificate: true },
  ],
])("%s lets in", async ([, user, lets]) => {
  const server = await start(lets);
  expect(await connected(server.kubeconfig(user)).get(kinds.configMap, key)).toBeUndefined();
});

test.for<[what: string, user: object]>([
  ["no credentials", {}],
  ["a wrong token", { token: "wrong" }],
])("with %s a call is forbidden", async ([, user]) => {
  const server = await start({ tokens: () => ["right"] });
  await expect(connected(server.kubeconfig(user)).get(kinds.configMap, key)).rejects.toMatchObject({
    class: "forbidden",
    status: 401,
  });
});

test("a user name and password go as basic credentials", async () => {
  const server = await start({});
  await connected(server.kubeconfig({ username: "me", password: "p:w" })).get(kinds.configMap, key);
  expect(server.requests[0]?.headers["authorization"]).toBe(`Basic ${base64("me:p:w")}`);
});

test("impersonation is passed on", async () => {
  const server = await start({});
  await connected(server.kubeconfig({ token: "t", as: "someone" })).get(kinds.configMap, key);
  expect(server.requests[0]?.headers["impersonate-user"]).toBe("someone");
});

test("a pod's token is read again when it was exchanged, without a failed call", async () => {
  let valid = "first";
  const server = await start({ tokens: () => [valid] });
  const root = folder();
  const files = join(root, "var/run/secrets/kubernetes.io/serviceaccount");
  mkdirSync(files, { recursive: true });
  writeFileSync(join(files, "ca.crt"), tlsFile("ca.crt"));
  // With the line break that a hand-made file has.
  writeFileSync(join(files, "token"), "first\n");
  const { hostname, port } = new URL(server.url);
  vi.stubEnv("KUBERNETES_SERVICE_HOST", hostname);
  vi.stubEnv("KUBERNETES_SERVICE_PORT", port);
  const cluster = httpCluster(() => findAccess({ environment: {}, serviceAccountRoot: root }));
  await cluster.get(kinds.configMap, key);
  writeFileSync(join(files, "token"), "second");
  valid = "second";
  expect(await cluster.get(kinds.configMap, key)).toBeUndefined();
  expect(server.requests.map(({ headers }) => headers["authorization"])).toEqual([
    "Bearer first",
    "Bearer first",
    "Bearer second",
  ]);
});

test("a credential plugin runs once for many calls, and again when its token no longer counts", async () => {
  const runs = join(folder(), "runs");
  const script = `const fs = require("node:fs"); fs.appendFileSync(${JSON.stringify(runs)}, "x");
    console.log(JSON.stringify({status: {token: String(fs.statSync(${JSON.stringify(runs)}).size)}}))`;
  let valid = "1";
  const server = await start({ tokens: () => [valid] });
  const cluster = connected(server.kubeconfig(plugin(script)));
  await cluster.get(kinds.configMap, key);
  await cluster.get(kinds.configMap, key);
  expect(server.requests.map(({ headers }) => headers["authorization"])).toEqual([
    "Bearer 1",
    "Bearer 1",
  ]);
  valid = "2";
  await cluster.get(kinds.configMap, key);
  expect(server.requests.at(-1)?.headers["authorization"]).toBe("Bearer 2");
});

test.for<[what: string, user: object, says: RegExp]>([
  [
    "that fails",
    plugin(`console.error("log in first"); process.exit(1)`),
    /no answer: log in first/,
  ],
  ["that is not installed", { exec: { command: "no-such-plugin" } }, /spawn no-such-plugin ENOENT/],
  ["that says nothing", plugin(""), /no answer: /],
  ["that never ends", plugin("setTimeout(() => {}, 3000)"), /not within 1 s/],
])("a credential plugin %s is one line and no hang", async ([, user, says]) => {
  const server = await start({});
  const cluster = connected(server.kubeconfig(user), { timeout: 1000 });
  const error: unknown = await cluster.get(kinds.configMap, key).catch((error: unknown) => error);
  expect(error).toMatchObject({ name: "ClusterError", class: "again" });
  expect(String(error)).toMatch(says);
  expect(String(error)).not.toContain("\n");
});

test("a server that the configured authority did not sign is not talked to", async () => {
  const server = await start({});
  const other = { "certificate-authority-data": base64(tlsFile("client.crt")) };
  const cluster = connected(server.kubeconfig({ token: "secret" }, other));
  await expect(cluster.get(kinds.configMap, key)).rejects.toThrow(/certificate/);
  expect(server.requests).toEqual([]);
});

test("a server by another name is checked by its tls-server-name", async () => {
  const server = await start({});
  const named = (name: string): Cluster =>
    connected(server.kubeconfig({}, { "tls-server-name": name }));
  await expect(named("elsewhere").get(kinds.configMap, key)).rejects.toThrow(/elsewhere/);
  expect(await named("localhost").get(kinds.configMap, key)).toBeUndefined();
});

test("a proxy of the kubeconfig is used", async () => {
  const server = await start({});
  const asked: string[] = [];
  const proxy = createServer().on("connect", ({ url = "" }, client) => {
    asked.push(url);
    const upstream = connect(Number(url.split(":")[1]), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.pipe(client).pipe(upstream);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  endings.push(() => proxy.close());
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const cluster = connected(server.kubeconfig({}, { "proxy-url": url }));
  expect(await cluster.get(kinds.configMap, key)).toBeUndefined();
  expect(asked).toEqual([server.url.replace("https://", "")]);
});

test("a plain server is talked to where the kubeconfig accepts that", async () => {
  const plain = createServer((_, response) => response.end(`{"metadata":{"name":"absent"}}`));
  await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
  endings.push(
    () => plain.closeAllConnections(),
    () => plain.close(),
  );
  const file = join(folder(), "config");
  const server = `http://127.0.0.1:${(plain.address() as AddressInfo).port}/base/`;
  writeFileSync(
    file,
    `{current-context: c, contexts: [{name: c, context: {cluster: c}}], clusters: [{name: c, cluster: {server: "${server}", insecure-skip-tls-verify: true}}]}`,
  );
  expect(await connected(file).get(kinds.configMap, key)).toEqual({ metadata: { name: "absent" } });
});
