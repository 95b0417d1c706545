import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pidOf } from "../daemons.ts";
import { name, places } from "../places.ts";

/** What a command of the rig answered. */
interface Ended {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

const main = join(import.meta.dirname, "../main.ts");

function rig(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [main, ...args],
      { env: { ...process.env, ...env } },
      (error, out, errors) => {
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), out, errors });
      },
    );
  });
}

/** Looks by itself for what a cluster leaves on a machine: not with the functions that take it away. */
function leftOnMachine(): string[] {
  const processes = readdirSync("/proc")
    .filter((each) => /^\d+$/.test(each) && Number(each) !== process.pid)
    .flatMap((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        return words.includes(places.state) ||
          readFileSync(`/proc/${pid}/cgroup`, "utf8").includes(`:/${name}/`)
          ? [`process ${pid}: ${words.slice(0, 80)}`]
          : [];
      } catch {
        return [];
      }
    });
  const networks = [name, `${name}-outside`];
  const mounts = readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    .filter(
      (line) =>
        line.includes(`${places.state}/`) ||
        networks.includes(line.split(" ")[1]?.replace(/^.*\/netns\//, "") ?? ""),
    );
  const namespaces = existsSync("/run/netns")
    ? readdirSync("/run/netns").filter((each) => networks.includes(each))
    : [];
  const groups = readdirSync("/sys/fs/cgroup").filter((each) =>
    existsSync(join("/sys/fs/cgroup", each, name)),
  );
  return [
    ...processes,
    ...mounts,
    ...namespaces,
    ...groups,
    ...(existsSync(places.state) ? [places.state] : []),
  ];
}

beforeAll(async () => {
  await rig(["down"]);
});

afterAll(async () => {
  await rig(["down"]);
});

test("down where nothing is up does nothing, and says so", async () => {
  expect(await rig(["down"])).toMatchObject({ code: 0 });
  expect(leftOnMachine()).toEqual([]);
});

test("a control plane comes up, a second up changes nothing, and down leaves nothing", async () => {
  expect(await rig(["up", "--control-plane"])).toMatchObject({ code: 0, errors: "" });
  const first = pidOf("kube-apiserver");
  expect(first).toBeDefined();
  expect(await rig(["up", "--control-plane"])).toMatchObject({ code: 0, errors: "" });
  expect(pidOf("kube-apiserver")).toBe(first);
  expect((await rig(["status"])).out).toContain("kube-apiserver");
  expect(await rig(["down"])).toMatchObject({ code: 0 });
  expect(leftOnMachine()).toEqual([]);
});

test("a program that was killed is started again by up; what is left of it goes with down", async () => {
  expect(await rig(["up", "--control-plane"])).toMatchObject({ code: 0 });
  const killed = pidOf("kube-apiserver") ?? 0;
  process.kill(killed, "SIGKILL");
  while (pidOf("kube-apiserver") === killed) await new Promise((wake) => setTimeout(wake, 20));
  expect((await rig(["status"])).out).toMatch(
    /kube-apiserver +has ended: npm run cluster -- logs kube-apiserver/,
  );
  expect(await rig(["up", "--control-plane"])).toMatchObject({ code: 0 });
  expect(pidOf("kube-apiserver")).not.toBe(killed);
  process.kill(pidOf("etcd") ?? 0, "SIGKILL");
  expect(await rig(["down"])).toMatchObject({ code: 0 });
  expect(leftOnMachine()).toEqual([]);
});

test("a whole cluster whose containerd and kubelet were killed leaves nothing either, and a second up found all of it there", async () => {
  expect(await rig(["up"])).toMatchObject({ code: 0, errors: "" });
  const [kubelet, containerd] = [pidOf("kubelet"), pidOf("containerd")];
  expect(await rig(["up"])).toMatchObject({ code: 0, errors: "" });
  expect([pidOf("kubelet"), pidOf("containerd")]).toEqual([kubelet, containerd]);
  for (const pid of [kubelet, containerd]) process.kill(pid ?? 0, "SIGKILL");
  expect(await rig(["down"])).toMatchObject({ code: 0 });
  expect(leftOnMachine()).toEqual([]);
}, 400_000);

test("a port in use ends up with the step, the port, who has it and the remedy", async () => {
  expect(await rig(["up", "--control-plane"])).toMatchObject({ code: 0 });
  // Stopped behind the rig's back, with its record gone: its port stays taken.
  for (const each of ["etcd", "kube-apiserver"]) rmSync(join(places.processes, each));
  const again = await rig(["up", "--control-plane"]);
  expect(again.code).toBe(1);
  expect(again.errors).toMatch(
    /^step "etcd" failed: port 2379 of etcd is in use by \S+, process \d+; npm run cluster -- down/,
  );
  expect(await rig(["down"])).toMatchObject({ code: 0 });
  expect(leftOnMachine()).toEqual([]);
}, 180_000);

test("an unknown command prints the help and fails", async () => {
  const answer = await rig(["sideways"]);
  expect(answer.code).toBe(1);
  expect(answer.out).toContain("npm run cluster -- COMMAND");
});

test("up without root names root and the way to another cluster", async () => {
  const answer = await new Promise<Ended>((resolve) => {
    execFile(
      process.execPath,
      [main, "up"],
      { uid: 65534, gid: 65534, env: { HOME: "/tmp", PATH: process.env["PATH"] } },
      (error, out, errors) => {
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), out, errors });
      },
    );
  });
  expect(answer).toMatchObject({ code: 1 });
  expect(answer.errors).toMatch(/needs root on Linux.*KUBECONFIG/);
});

test("a machine without Go is told what to install", async () => {
  const answer = await rig(["build"], {
    PATH: "/usr/bin:/bin",
    XDG_CACHE_HOME: join(places.state, "../empty-cache"),
  });
  expect(answer.code).toBe(1);
  expect(answer.errors).toMatch(/Go is not installed: .*go\.dev\/dl/);
});
