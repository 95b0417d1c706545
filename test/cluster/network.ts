import { existsSync } from "node:fs";
import { addresses, inside, name } from "./places.ts";
import { run } from "./run.ts";

const outside = `${name}-outside`;

/** Answers whether the cluster's network namespace is there. */
export function hasNetwork(): boolean {
  return existsSync(`/run/netns/${name}`);
}

/** Makes the network namespace: loopback, the node's address on a pair of virtual cards with both ends inside, a default route. No way leads out. Throws with the remedy where this root may make none. */
export async function createNetwork(): Promise<void> {
  if (hasNetwork()) return;
  try {
    await run("ip", ["netns", "add", name]);
  } catch (error) {
    throw new Error(
      "no network namespace could be made; run it on the machine itself or in a privileged container (CAP_SYS_ADMIN, CAP_NET_ADMIN), or give the suites a KUBECONFIG of another cluster",
      { cause: error },
    );
  }
  // A name for the network that this process is in: an image build inside needs the way out.
  await run("ip", ["netns", "attach", outside, String(process.pid)]);
  const commands = [
    ["ip", "link", "set", "lo", "up"],
    ["ip", "link", "add", "node0", "type", "veth", "peer", "name", "node1"],
    ["ip", "address", "add", `${addresses.node}/24`, "dev", "node0"],
    ["ip", "link", "set", "node0", "up"],
    ["ip", "link", "set", "node1", "up"],
    ["ip", "route", "add", "default", "via", addresses.gateway],
    ["sysctl", "-q", "-w", "net.ipv4.ip_forward=1"],
  ];
  for (const [command = "", ...args] of commands) await run(...inside(command, args));
}

/** Removes the network namespace, and with it what was in it. */
export async function removeNetwork(): Promise<void> {
  for (const each of [outside, name]) {
    if (existsSync(`/run/netns/${each}`)) await run("ip", ["netns", "delete", each]);
  }
}
