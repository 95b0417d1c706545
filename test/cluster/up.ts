import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dnsManifest, ingressManifest } from "./addons.ts";
import { makeCertificates } from "./certificates.ts";
import { startApiServer, startControllerManager, startEtcd } from "./control-plane.ts";
import { endOfLog, pidOf, startDaemon, stopDaemon } from "./daemons.ts";
import { down } from "./down.ts";
import { importImages } from "./images.ts";
import { onInterruption } from "./interruption.ts";
import { knativeManifests, type Manifest } from "./knative.ts";
import { applyManifest, kubectl } from "./kubectl.ts";
import { createNetwork, hasNetwork } from "./network.ts";
import { startContainerd, startNode } from "./node.ts";
import { installPackages } from "./packages.ts";
import { places } from "./places.ts";
import { buildPrograms, programPath } from "./programs.ts";
import { applyKinds, startPing, startSource } from "./senders.ts";
import { eventually, type Say } from "./run.ts";
import { requireSpace } from "./space.ts";

/** How much of a cluster: the API server and its controllers alone, or a node with Knative on it. */
export type Level = "control-plane" | "node";

/**
 * Brings a cluster up to the level; what runs already is left as it is. Throws at the step that failed, with the end of that program's log, or
 * `Interrupted` where Ctrl-C or SIGTERM came. Where nothing was up before, what it started is taken away again.
 */
export async function up(level: Level, say: Say): Promise<void> {
  if (process.getuid?.() !== 0)
    throw new Error(
      "the test cluster needs root on Linux: run it with sudo, or give the suites a KUBECONFIG of another cluster",
    );
  const isNew = !existsSync(places.state) && !hasNetwork();
  if (isNew) requireSpace(places.state, level === "node" ? 4 : 0.5, "XDG_STATE_HOME");
  const interruption = onInterruption();
  const ended = new AbortController();
  try {
    await Promise.race([bringUp(level, say, ended.signal), interruption.comes]);
  } catch (error) {
    // Before it is taken away: a step beside the one that failed must not begin another.
    ended.abort();
    if (isNew) await down(() => {});
    else say("what is up stays up: npm run cluster -- down takes it away");
    throw error;
  } finally {
    interruption.stop();
  }
}

async function bringUp(level: Level, say: Say, ended: AbortSignal): Promise<void> {
  await installPackages(say);
  await buildPrograms(level, say);
  mkdirSync(places.state, { recursive: true, mode: 0o700 });
  const step = stepper(say, ended);
  await step("network", [], createNetwork);
  await step("certificates", [], makeCertificates);
  await step("etcd", ["etcd"], startEtcd);
  await step("API server", ["kube-apiserver", "etcd"], startApiServer);
  await step("controller manager", ["kube-controller-manager"], startControllerManager);
  if (level === "control-plane") {
    await step("kinds", ["kube-apiserver"], applyKinds);
    await step("event source", ["source"], startSource);
    await step("ping", ["ping"], startPing);
    return;
  }
  // What a control plane alone had instead of pods.
  for (const each of ["source", "ping"]) await stopDaemon(each);
  await step("containerd", ["containerd"], startContainerd);
  await step("registry", ["registry"], startRegistry);
  // The images are imported while the node starts and the API server takes the kinds.
  const images = step("images", ["containerd"], importImages);
  images.catch(() => {});
  await step("node", ["kubelet", "kube-scheduler", "kube-proxy"], startNode);
  await step("Knative's kinds", ["kube-apiserver"], applyFirst);
  // A pod that starts before its image is there waits longer each time until it looks again.
  await images;
  await step("manifests", ["kube-apiserver"], applyRest);
  await step("Deployments", ["kubelet"], waitForDeployments);
}

function stepper(say: Say, ended: AbortSignal) {
  const start = Date.now();
  return async (
    name: string,
    programs: readonly string[],
    act: () => Promise<void>,
  ): Promise<void> => {
    ended.throwIfAborted();
    try {
      await act();
      say(`${((Date.now() - start) / 1000).toFixed(1).padStart(6)} s  ${name}`);
    } catch (error) {
      const dead = programs.filter((program) => pidOf(program) === undefined);
      const logs = (dead.length > 0 ? dead : programs).map(
        (program) => `--- the end of ${program}'s log\n${endOfLog(program)}`,
      );
      throw new Error(
        [
          `step "${name}" failed: ${error instanceof Error ? error.message : String(error)}`,
          ...logs,
        ].join("\n"),
        { cause: error },
      );
    }
  };
}

async function startRegistry(): Promise<void> {
  const disk = `${places.state}/registry`;
  mkdirSync(disk, { recursive: true });
  await startDaemon({
    name: "registry",
    ports: [5000],
    command: programPath("crane"),
    args: ["registry", "serve", "--address", "127.0.0.1:5000", "--disk", disk],
  });
}

const isFirst = (object: Manifest) =>
  object.kind === "CustomResourceDefinition" || object.kind === "Namespace";

/** Where it is noted which manifests this cluster has taken, so that a second `up` does not send them again. */
const taken = join(places.state, "manifests");

function manifestsHash(): string {
  const text = JSON.stringify([knativeManifests(), dnsManifest(), ingressManifest()]);
  return createHash("sha256").update(text).digest("hex");
}

function areTaken(): boolean {
  return existsSync(taken) && readFileSync(taken, "utf8") === manifestsHash();
}

async function applyFirst(): Promise<void> {
  if (areTaken()) return;
  await applyObjects(knativeManifests().filter(isFirst));
  await kubectl("wait", "--for=condition=Established", "--timeout=60s", "crd", "--all");
}

async function applyRest(): Promise<void> {
  if (areTaken()) return;
  const rest = knativeManifests().filter((object) => !isFirst(object));
  await applyManifest(dnsManifest());
  await applyManifest(ingressManifest());
  // Knative's own webhooks and the aggregation of roles race with what is applied: again until it goes through.
  await eventually("Knative's manifests applied", 120, async () => {
    await applyObjects(rest);
    return true;
  });
  writeFileSync(taken, manifestsHash());
}

async function applyObjects(objects: readonly Manifest[]): Promise<void> {
  await applyManifest(JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));
}

async function waitForDeployments(): Promise<void> {
  for (const namespace of ["kube-system", "traefik", "knative-serving", "knative-eventing"]) {
    await kubectl(
      "wait",
      "--for=condition=Available",
      "--timeout=120s",
      "--namespace",
      namespace,
      "deployment",
      "--all",
    );
  }
}
