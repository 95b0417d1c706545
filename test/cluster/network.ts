import { existsSync } from "node:fs";
import { addresses, inside, name } from "./places.ts";
import { run } from "./run.ts";

const outside = `${name}-outside`;

/** Answers whether the cluster's network namespace is there. */
export function hasNetwork(): boolean {
  return existsSync(`/run/netns/${name}`);
}

/** Makes the network namespace: loopback, the node's address on a pair of virtual cards with both ends inside, a default route. No way leads out. */
export async function createNetwork(): Promise<void> {
  if (hasNetwork()) return;
  await run("ip", ["netns", "add", name]);
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

/** Removes the namespaces of the cluster and of its pods. */
export async function removeNetwork(): Promise<void> {
  const listed = await run("ip", ["netns", "list"]);
  const ours = listed.split("\n").map((line) => line.split(" ")[0] ?? "");
  for (const each of ours.filter(
    (each) => each === name || each === outside || each.startsWith("cni-"),
  ))
    await run("ip", ["netns", "delete", each]);
}
