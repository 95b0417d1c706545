import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pidOf } from "../daemons.ts";
import { inside, name, places } from "../places.ts";

/** What a command of the rig answered. */
interface Ended {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

const main = join(import.meta.dirname, "../main.ts");

function started(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(command, args, { env: { ...process.env, ...env } }, (error, out, errors) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), out, errors });
    });
  });
}

function rig(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return started(process.execPath, [main, ...args], env);
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
  const notes = existsSync("/var/lib/cni/results")
    ? readdirSync("/var/lib/cni/results").filter((each) => each.startsWith(`${name}-`))
    : [];
  return [
    ...processes,
    ...mounts,
    ...notes,
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

/** Prints the types of the CloudEvents that come to the two places where the senders post, once each, and ends when there is one of each. */
const listener = `
  const seen = new Set();
  for (const port of [8090, 8091])
    require("node:http").createServer((request, response) => {
      seen.add(port + " " + request.headers["ce-type"]);
      response.writeHead(204).end();
      request.resume();
      if (new Set([...seen].map((line) => line.slice(0, 4))).size < 2) return;
      console.log([...seen].join("\\n"));
      process.exit(0);
    }).listen(port, "127.0.0.1");
  setTimeout(() => { console.log([...seen].join("\\n")); process.exit(1); }, 60000);
`;

test("on the control plane alone, the event source and the ping send as plain processes", async () => {
  expect(await rig(["up", "--control-plane"])).toMatchObject({ code: 0 });
  const [command, args] = inside(process.execPath, ["-e", listener]);
  const heard = new Promise<string>((resolve) => {
    execFile(command, args, (_error, out) => resolve(out));
  });
  const schedule = JSON.stringify({ spec: { schedule: "*/2 * * * * *" } });
  const ping = ["pingsource/resync", "-n", "apirator-system", "--type=merge"];
  expect(await rig(["kubectl", "patch", ...ping, "-p", schedule])).toMatchObject({ code: 0 });
  const example = join(import.meta.dirname, "../../../examples/library.yaml");
  expect(await rig(["kubectl", "apply", "-f", example])).toMatchObject({ code: 0 });
  // The source sends nothing for what was there before it began to watch: edits go on until it is heard.
  let lines: string[] = [];
  const ended = heard.then((out) => (lines = out.trim().split("\n")));
  for (let edit = 0; lines.length === 0; edit += 1) {
    const annotation = ["apimock/library", `example.com/edit=${edit}`, "--overwrite"];
    expect(await rig(["kubectl", "annotate", ...annotation])).toMatchObject({ code: 0 });
    await Promise.race([ended, new Promise((wake) => setTimeout(wake, 1000))]);
  }
  expect(lines.join("\n")).toMatch(/^8090 dev\.knative\.apiserver\.ref\.(add|update)$/m);
  expect(lines).toContain("8091 dev.knative.sources.ping");
  expect(await rig(["down"])).toMatchObject({ code: 0 });
}, 180_000);

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

/** A command run with fewer rights than root has, but able to read this checkout wherever it is. */
function limited(options: readonly string[], args: readonly string[]): Promise<Ended> {
  return started("setpriv", [...options, process.execPath, main, ...args]);
}

test("up without root names root and the way to another cluster", async () => {
  const user = ["--reuid=65534", "--inh-caps=+dac_override", "--ambient-caps=+dac_override"];
  const answer = await limited(user, ["up"]);
  expect(answer).toMatchObject({ code: 1 });
  expect(answer.errors).toMatch(/needs root on Linux.*KUBECONFIG/);
});

test("a root that may make no namespace is told so, and nothing is left", async () => {
  const answer = await limited(["--bounding-set=-sys_admin"], ["up", "--control-plane"]);
  expect(answer).toMatchObject({ code: 1 });
  expect(answer.errors).toMatch(
    /^step "network" failed: no network namespace .*privileged container/,
  );
  expect(leftOnMachine()).toEqual([]);
});

test("a disk without room is told before anything starts", async () => {
  const disk = mkdtempSync(join(tmpdir(), "apirator-rig-"));
  await started("mount", ["-t", "tmpfs", "-o", "size=16m", "tmpfs", disk]);
  try {
    const answer = await rig(["up", "--control-plane"], { XDG_STATE_HOME: disk });
    expect(answer).toMatchObject({ code: 1 });
    expect(answer.errors).toMatch(
      / has 0\.02 GB free and needs 0\.5: free some, or set XDG_STATE_HOME/,
    );
    expect(readdirSync(disk)).toEqual([]);
  } finally {
    await started("umount", [disk]);
    rmdirSync(disk);
  }
});

test("Ctrl-C while it comes up takes away what was started, with exit code 130", async () => {
  const child = spawn(process.execPath, [main, "up", "--control-plane"]);
  for await (const chunk of child.stdout) if (String(chunk).includes(" etcd")) break;
  child.kill("SIGINT");
  const [code] = (await once(child, "close")) as [number];
  expect(code).toBe(130);
  expect(leftOnMachine()).toEqual([]);
});

test("a program that ends while it comes up is named at once, with its log, and nothing is left", async () => {
  const child = spawn(process.execPath, [main, "up", "--control-plane"]);
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  while (pidOf("kube-apiserver") === undefined) await new Promise((wake) => setTimeout(wake, 5));
  process.kill(pidOf("etcd") ?? 0, "SIGKILL");
  const [code] = (await once(child, "close")) as [number];
  expect(code).toBe(1);
  expect(errors).toMatch(
    /^step "API server" failed: kube-apiserver ready: etcd has ended\n--- the end of etcd's log/,
  );
  expect(leftOnMachine()).toEqual([]);
});

test("a machine without Go is told what to install", async () => {
  const answer = await rig(["build"], {
    PATH: "/usr/bin:/bin",
    XDG_CACHE_HOME: join(places.state, "../empty-cache"),
  });
  expect(answer.code).toBe(1);
  expect(answer.errors).toMatch(/Go is not installed: .*go\.dev\/dl/);
});
