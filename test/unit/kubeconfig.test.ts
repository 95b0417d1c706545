import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Access, findAccess, KubeConfigError } from "../../lib/cluster/kubeconfig.ts";
import { httpCluster } from "../../lib/cluster/http.ts";

const folder = mkdtempSync(join(tmpdir(), "apirator-kubeconfig-"));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;

function file(content: unknown): string {
  const path = join(folder, `config-${(files += 1)}`);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

function config(changes: object = {}): object {
  return {
    "current-context": "one",
    contexts: [
      { name: "one", context: { cluster: "c", user: "u" } },
      { name: "two", context: { cluster: "c2", user: "u" } },
    ],
    clusters: [
      { name: "c", cluster: { server: "https://one.example:6443/" } },
      { name: "c2", cluster: { server: "https://two.example" } },
    ],
    users: [{ name: "u", user: { token: "t" } }],
    ...changes,
  };
}

function found(KUBECONFIG: string, context?: string): Access {
  return findAccess({ environment: { KUBECONFIG }, ...(context === undefined ? {} : { context }) });
}

const server = (server: string): object => ({ clusters: [{ name: "c", cluster: { server } }] });

test.for<[what: string, content: unknown, says: string]>([
  ["is empty", "", "the input is empty; correct the file"],
  ["holds nothing", "null", "cannot be read: it is empty, or no kubeconfig; correct the file"],
  ["is no YAML", "a: [", "cannot be read: "],
  [
    "has a cluster without a name",
    { clusters: [{}] },
    "clusters[0].name is missing; correct the file",
  ],
  [
    "has no context in use",
    { ...config(), "current-context": "" },
    "run kubectl config use-context NAME (contexts: one, two)",
  ],
  [
    "uses a context that it lacks",
    { ...config(), "current-context": "x" },
    "has no context x; choose one of: one, two",
  ],
  [
    "lacks the cluster",
    config({ clusters: [] }),
    "has no cluster c, which context one names; add it",
  ],
  ["lacks the user", config({ users: [] }), "has no user u, which context one names; add it"],
  [
    "has a server that is no URL",
    config(server("nowhere")),
    `server "nowhere" of cluster c is no http or https URL; correct it`,
  ],
  [
    "has a plain server by mistake",
    config(server("http://x")),
    "use https, or set insecure-skip-tls-verify: true",
  ],
])("a kubeconfig that %s is one line: which file, what to do", ([, content, says]) => {
  const path = file(content);
  const attempt = (): Access => found(path);
  expect(attempt).toThrow(KubeConfigError);
  expect(attempt).toThrow(path);
  expect(attempt).toThrow(says);
  expect(attempt).not.toThrow(/\n/);
});

test("a file that does not exist is named", () => {
  const path = join(folder, "absent");
  expect(() => found(path)).toThrow(
    new RegExp(`kubeconfig ${path} cannot be read: ENOENT.*set KUBECONFIG`),
  );
});

test("without any configuration the message says where it was looked for", () => {
  const lookup = { environment: { HOME: folder }, serviceAccountRoot: folder };
  expect(() => findAccess(lookup)).toThrow(/KUBECONFIG is not set.*\.kube.config does not exist/);
});

test("the current context counts, unless another is wanted", () => {
  const path = file(config());
  expect(found(path)).toMatchObject({ server: "https://one.example:6443", context: "one" });
  expect(found(path, "two")).toMatchObject({ server: "https://two.example", context: "two" });
});

test("of several files the first to name something wins, and absent ones are passed over", () => {
  const first = file({ clusters: [{ name: "c", cluster: { server: "https://first.example" } }] });
  const paths = [join(folder, "absent"), first, file(config())];
  expect(found(paths.join(delimiter)).server).toBe("https://first.example");
});

test("a proxy that cannot be used is said before the first call", () => {
  const proxied = { server: "https://x", "proxy-url": "socks5://p" };
  const path = file(config({ clusters: [{ name: "c", cluster: proxied }] }));
  expect(() => httpCluster(() => found(path))).toThrow(/proxy-url socks5:\/\/p of context one/);
});
