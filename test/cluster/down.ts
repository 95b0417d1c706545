import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { daemonNames, pidOf, stopDaemon } from "./daemons.ts";
import { hasNetwork, removeNetwork } from "./network.ts";
import { ctr } from "./node.ts";
import { name, places } from "./places.ts";
import { run, type Say } from "./run.ts";

/** Takes the cluster away: processes, mounts, namespaces, control groups, files. Works from any state, also a half-started one; does nothing where nothing is. */
export async function down(say: Say): Promise<void> {
  // The kubelet first: it would start again what is stopped.
  for (const each of ["kubelet", "kube-proxy", "kube-scheduler", "kube-controller-manager"])
    await stopDaemon(each);
  if (pidOf("containerd") !== undefined) await killTasks();
  for (const each of ["registry", "containerd", "kube-apiserver", "etcd", ...daemonNames()])
    await stopDaemon(each);
  await killLeftovers();
  removeTracesOfTasks();
  removeNetworkResults();
  await unmountBelow(places.state);
  if (hasNetwork()) await removeNetwork();
  await removeCgroups();
  rmSync(places.state, { recursive: true, force: true });
  const left = [
    ...leftoverPids().map((pid) => `process ${pid}`),
    ...mountsBelow(places.state),
    ...(hasNetwork() ? [`network namespace ${name}`] : []),
  ];
  if (left.length > 0)
    throw new Error(
      `still there: ${left.join(", ")}; run it once more, and end by hand what stays`,
    );
  say("nothing of the test cluster is left; built programs stay in the cache");
}

/** Removes what killed tasks had outside the state folder: the socket of the shim, which the task's folder names, and what runc noted. */
function removeTracesOfTasks(): void {
  const tasks = join(places.containerd, "run", "io.containerd.runtime.v2.task", "k8s.io");
  for (const task of existsSync(tasks) ? readdirSync(tasks) : []) {
    const address = join(tasks, task, "address");
    if (existsSync(address))
      rmSync(readFileSync(address, "utf8").replace("unix://", ""), { force: true });
    rmSync(join("/run/containerd/runc/k8s.io", task), { recursive: true, force: true });
  }
}

/** Removes what the network plugins noted of this cluster's pods: the name of the network is the cluster's; of the loopback only the pod's id tells. */
function removeNetworkResults(): void {
  const folder = "/var/lib/cni/results";
  const results = existsSync(folder) ? readdirSync(folder) : [];
  const ours = new RegExp(`^${name}-([0-9a-f]{64})-`);
  const ids = results.flatMap((each) => ours.exec(each)?.[1] ?? []);
  for (const result of results)
    if (ids.some((id) => result.includes(`-${id}-`))) rmSync(join(folder, result), { force: true });
}

async function killTasks(): Promise<void> {
  const listed = await ctr("tasks", "list", "--quiet").catch(() => "");
  const tasks = listed.split("\n").filter((line) => line !== "");
  await Promise.all(
    tasks.map((task) => ctr("tasks", "kill", "--signal", "SIGKILL", "--all", task).catch(() => "")),
  );
}

/** Kills by their ids what still runs in a pod's or the cluster's own control group, or is a containerd shim of this cluster's socket. */
async function killLeftovers(): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    const left = leftoverPids();
    if (left.length === 0) return;
    for (const pid of left) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {} // It ended in between.
    }
    await new Promise((wake) => setTimeout(wake, 100));
  }
}

/** Answers the ids of the processes of this cluster that no daemon's record names: what runs in pods, shims, programs whose record was lost. */
function leftoverPids(): number[] {
  return readdirSync("/proc")
    .filter((each) => /^\d+$/.test(each))
    .map(Number)
    .filter((pid) => pid !== process.pid && isOurs(pid));
}

function isOurs(pid: number): boolean {
  try {
    if (readFileSync(`/proc/${pid}/cgroup`, "utf8").includes(`:/${name}/`)) return true;
    const program = readlinkSync(`/proc/${pid}/exe`);
    // By the program too: an editor or a pager may well have a file of the state folder open.
    if (!program.startsWith(`${places.cache}/`) && !/\/containerd(-shim[\w-]*)?$/.test(program))
      return false;
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(`${places.state}/`);
  } catch {
    return false; // It ended in between.
  }
}

/** Answers the mount points at and below a folder, the deepest first. */
function mountsBelow(folder: string): string[] {
  return readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[1] ?? "")
    .filter((path) => path === folder || path.startsWith(`${folder}/`))
    .toSorted()
    .toReversed();
}

async function unmountBelow(folder: string): Promise<void> {
  // Lazily: a process that is just ending may still hold one.
  for (const path of mountsBelow(folder)) await run("umount", ["--lazy", path]).catch(() => "");
}

async function removeCgroups(): Promise<void> {
  const roots = [
    "/sys/fs/cgroup",
    ...readdirSync("/sys/fs/cgroup").map((each) => join("/sys/fs/cgroup", each)),
  ];
  for (const root of roots.filter((each) => existsSync(join(each, name)))) {
    await run("find", [
      join(root, name),
      "-depth",
      "-type",
      "d",
      "-exec",
      "rmdir",
      "{}",
      ";",
    ]).catch(() => "");
  }
}
