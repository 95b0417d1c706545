import { homedir } from "node:os";
import { join } from "node:path";

/** The addresses of the test cluster; all of them live in its own network namespace only. */
export const addresses = {
  node: "10.250.0.2",
  gateway: "10.250.0.1",
  pods: "10.244.0.0/16",
  services: "10.96.0.0/16",
  kubernetes: "10.96.0.1",
  dns: "10.96.0.10",
  /** Traefik's two Services: what a load balancer would hand out, and what cluster-local hosts go through. */
  ingress: "10.96.0.80",
  localIngress: "10.96.0.81",
  registry: "localhost:5000",
} as const;

/**
 * The name of the network namespace, of the node, and of everything else that the test cluster has on a machine while it is up. Another one by
 * TEST_CLUSTER_NAME is another cluster beside it: the scripts' own tests bring that one up and down.
 */
export const name = process.env["TEST_CLUSTER_NAME"] ?? "apirator";

const stateHome = process.env["XDG_STATE_HOME"] ?? join(homedir(), ".local", "state");
const state = join(stateHome, name, "cluster");
const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "apirator");

/** The folders of a running cluster: `state` goes away with it, `cache` (built programs, the base image) stays for the next. */
export const places = {
  state,
  certificates: join(state, "certificates"),
  logs: join(state, "logs"),
  processes: join(state, "processes"),
  audit: join(state, "logs", "audit.jsonl"),
  kubeconfig: join(state, "kubeconfig"),
  containerd: join(state, "containerd"),
  containerdSocket: join(state, "containerd", "containerd.sock"),
  kubelet: join(state, "kubelet"),
  cache,
  /** Storage of built images, the base image among them: it stays, so that a second build takes what has not changed. */
  buildah: join(cache, "buildah"),
} as const;

/** Answers a command and its arguments as they run inside the cluster's network; not `ip netns exec`, which hides `/sys/fs/cgroup`. */
export function inside(command: string, args: readonly string[]): [string, string[]] {
  return ["nsenter", [`--net=/run/netns/${name}`, command, ...args]];
}
