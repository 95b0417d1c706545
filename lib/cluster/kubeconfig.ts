import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node/dist/config.js";
import type { Cluster, Context } from "@kubernetes/client-node/dist/config_types.js";

/** A configuration that cannot be used. The message is one line: which file, what is wrong, what to do. */
export class KubeConfigError extends Error {
  override readonly name = "KubeConfigError";
}

/** Where the API server is and who asks, as a kubeconfig or the pod's service account say. */
export interface Access {
  /** The library's configuration, for its credentials; its cluster has no proxy, `proxy` has. */
  readonly config: KubeConfig;
  /** Without a trailing slash; with a path where the configuration has one. */
  readonly server: string;
  /** URL of an HTTP proxy to the API server. */
  readonly proxy?: string;
  /** Name of the context in use. */
  readonly context: string;
}

/** What the configuration is looked up with. `serviceAccountRoot` goes before the path of the service account's files. */
export interface Lookup {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly context?: string;
  readonly serviceAccountRoot?: string;
}

const tokenFile = "/var/run/secrets/kubernetes.io/serviceaccount/token";

/**
 * Answers the access in kubectl's order: the files of `KUBECONFIG`, `~/.kube/config`, the pod's service account.
 * Reads files, asks nobody. Throws a `KubeConfigError`.
 */
export function findAccess(lookup: Lookup): Access {
  const { environment, context, serviceAccountRoot = "" } = lookup;
  const files = kubeconfigFiles(environment);
  if (files.length > 0) return accessOf(merged(files), files.join(delimiter), context);
  if (!existsSync(`${serviceAccountRoot}${tokenFile}`)) throw nowhere(environment);
  const config = new KubeConfig();
  config.loadFromCluster(serviceAccountRoot);
  return accessOf(config, "the pod's service account", undefined);
}

function kubeconfigFiles(environment: Lookup["environment"]): string[] {
  const named = environment["KUBECONFIG"] ?? "";
  if (named !== "") {
    const files = named.split(delimiter).filter((file) => file !== "");
    // As kubectl does: a file of the list that is not there yet is no error, unless none is.
    const there = files.filter((file) => existsSync(file));
    return there.length > 0 ? there : files;
  }
  const home = environment["HOME"] ?? environment["USERPROFILE"];
  if (home === undefined || home === "") return [];
  return [join(home, ".kube", "config")].filter((file) => existsSync(file));
}

function nowhere(environment: Lookup["environment"]): KubeConfigError {
  const home = environment["HOME"] ?? environment["USERPROFILE"] ?? "~";
  return new KubeConfigError(
    `no cluster is configured: KUBECONFIG is not set, ${join(home, ".kube", "config")} does not exist, and this is no pod with a service account; set KUBECONFIG to a kubeconfig file`,
  );
}

/** Answers the files as one configuration; of two entries with one name the first counts, as in kubectl. */
function merged(files: readonly string[]): KubeConfig {
  const parts = files.map(loaded);
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: firsts(parts.flatMap((part) => part.clusters)),
    users: firsts(parts.flatMap((part) => part.users)),
    contexts: firsts(parts.flatMap((part) => part.contexts)),
    currentContext: parts.map((part) => part.currentContext).find(Boolean),
  });
  return config;
}

function loaded(file: string): KubeConfig {
  const config = new KubeConfig();
  try {
    config.loadFromFile(file);
  } catch (error) {
    throw new KubeConfigError(
      `kubeconfig ${file} cannot be read: ${whatIsWrong(error)}; correct the file, or set KUBECONFIG to another one`,
    );
  }
  return config;
}

function firsts<Entry extends { readonly name: string }>(entries: readonly Entry[]): Entry[] {
  return entries.filter(
    (entry, index) => entries.findIndex((e) => e.name === entry.name) === index,
  );
}

function accessOf(config: KubeConfig, origin: string, wanted: string | undefined): Access {
  const { context, cluster } = inUse(config, origin, wanted);
  // The library gives no TLS options to a context without a user.
  const user = config.users.find((user) => user.name === context.user) ?? { name: "anonymous" };
  // The library would build an agent for the proxy that nobody uses.
  const { proxyUrl, ...direct } = cluster;
  const server = serverOf(direct, origin);
  config.loadFromOptions({
    clusters: [direct],
    users: [user],
    contexts: [{ ...context, user: user.name }],
    currentContext: context.name,
  });
  const access = { config, server, context: context.name };
  return proxyUrl ? { ...access, proxy: proxyUrl } : access;
}

function inUse(
  config: KubeConfig,
  origin: string,
  wanted: string | undefined,
): { context: Context; cluster: Cluster } {
  const name = wanted ?? config.currentContext;
  const names = config.contexts.map((context) => context.name).join(", ") || "none";
  if (!name) {
    throw new KubeConfigError(
      `kubeconfig ${origin} has no current-context; run kubectl config use-context NAME (contexts: ${names})`,
    );
  }
  const context = config.contexts.find((context) => context.name === name);
  if (context === undefined) {
    throw new KubeConfigError(
      `kubeconfig ${origin} has no context ${name}; choose one of: ${names}`,
    );
  }
  const cluster = config.clusters.find((cluster) => cluster.name === context.cluster);
  if (cluster === undefined) {
    throw new KubeConfigError(
      `kubeconfig ${origin} has no cluster ${context.cluster}, which context ${name} names; add it, or use another context`,
    );
  }
  if (context.user && !config.users.some((user) => user.name === context.user)) {
    throw new KubeConfigError(
      `kubeconfig ${origin} has no user ${context.user}, which context ${name} names; add it, or use another context`,
    );
  }
  return { context, cluster };
}

function serverOf(cluster: Cluster, origin: string): string {
  const url = URL.canParse(cluster.server) ? new URL(cluster.server) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new KubeConfigError(
      `kubeconfig ${origin}: server "${cluster.server}" of cluster ${cluster.name} is no http or https URL; correct it`,
    );
  }
  if (url.protocol === "http:" && !cluster.skipTLSVerify) {
    throw new KubeConfigError(
      `kubeconfig ${origin}: server ${cluster.server} of cluster ${cluster.name} is not encrypted; use https, or set insecure-skip-tls-verify: true`,
    );
  }
  return cluster.server.replace(/\/+$/, "");
}

function whatIsWrong(error: unknown): string {
  // The library reads `clusters` of whatever the file holds.
  if (error instanceof TypeError) return "it is empty, or no kubeconfig";
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n", 1)[0]?.trim() ?? "";
}
