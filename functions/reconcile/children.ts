import type { Child } from "../../lib/applied.ts";
import type { APIMock } from "../../lib/apimock.ts";
import type { Cluster, KubeObject, ObjectMeta } from "../../lib/cluster/cluster.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import { annotations, configMapName, desiredAnnotation } from "../../lib/names.ts";
import type { Choice, Held } from "./choice.ts";
import { asConflict, conflict } from "./conflict.ts";
import { configMapOf, repairOf } from "./configmap.ts";
import { covers, kserviceLists } from "./diff.ts";
import { type Failure, failureOf } from "./failure.ts";
import { kserviceOf } from "./kservice.ts";
import type { Observation } from "./observation.ts";
import { ownershipOf } from "./ownership.ts";
import type { Settings } from "./settings.ts";
import type { Verdict } from "./verdict.ts";

/** A resourceVersion that no object has: with it an apply creates, and never writes what somebody made in between (409). */
const createOnly = "1";

/** What a run works with. `wrote` gathers what was written, for the outcome. */
export interface Work {
  readonly mock: APIMock;
  readonly seen: Observation;
  readonly cluster: Cluster;
  readonly settings: Settings;
  readonly wrote: string[];
}

/** The children after the writes. */
export interface Left {
  readonly kservice?: KubeObject;
  readonly configMaps: readonly ObjectMeta[];
  readonly failures: readonly Failure[];
  /** Children that had been changed or removed by somebody, and are right again. */
  readonly corrected: readonly string[];
}

/** Answers the mock's own among the ConfigMaps that were seen, and those that nobody owns and it may adopt. */
export function ownConfigMaps(seen: Observation, mock: APIMock): ObjectMeta[] {
  return seen.configMaps.filter((configMap) =>
    ["ours", "orphan"].includes(ownershipOf(configMap, mock)),
  );
}

/** Answers the children that the fingerprint is made of: those that the mock controls. */
export function childrenOf(
  mock: APIMock,
  { kservice, configMaps }: Pick<Left, "kservice" | "configMaps">,
): Child[] {
  const all = [
    ...(kservice ? [{ kind: kinds.kservice, metadata: kservice.metadata }] : []),
    ...configMaps.map((metadata) => ({ kind: kinds.configMap, metadata })),
  ];
  return all.filter(({ metadata }) => ownershipOf(metadata, mock) === "ours");
}

/**
 * Makes the children serve the choice: writes what differs, collects what fails. The workload follows its ConfigMap: where that cannot be had, what
 * is held stays mounted.
 */
export async function writeChildren(
  work: Work,
  choice: Choice,
  by: { verdict: Verdict; held: Held | undefined; untouched: boolean },
): Promise<Left> {
  const failures: Failure[] = [];
  const corrected: string[] = [];
  const attempt = async <Value>(
    child: string,
    write: () => Promise<Value>,
  ): Promise<Value | undefined> => {
    try {
      return await write();
    } catch (error) {
      failures.push(error instanceof Taken ? error.failure(child) : failureOf(child, error));
      return undefined;
    }
  };
  const unchanged = ownConfigMaps(work.seen, work.mock);
  const before = work.seen.kservice;
  const stays = { ...(before ? { kservice: before } : {}), configMaps: unchanged };
  if (choice.kind === "nothing" || choice.kind === "lost") return { ...stays, failures, corrected };

  const name = configMapName(work.mock.metadata.name, choice.hash);
  const configMap = await attempt(
    `ConfigMap ${name}`,
    async () => await ensureConfigMap(work, name, by.verdict),
  );
  if (configMap?.restored) corrected.push(`ConfigMap ${name}`);
  const fallback = by.held?.there === true ? by.held.hash : undefined;
  const hash = configMap === undefined ? fallback : choice.hash;
  const child = `KService ${work.mock.metadata.name}`;
  const kservice =
    hash === undefined
      ? undefined
      : await attempt(child, async () => await ensureKService(work, hash, by.untouched));
  if (kservice?.restored) corrected.push(child);
  const after = kservice?.object ?? before;
  const others = unchanged.filter((other) => other.name !== configMap?.metadata.name);
  return {
    ...(after ? { kservice: after } : {}),
    configMaps: configMap ? [...others, configMap.metadata] : unchanged,
    failures,
    corrected,
  };
}

/** Removes what a mock of this name with another uid left behind; each is a failure to be tried again. */
export async function removeStale({ mock, seen, cluster, wrote }: Work): Promise<Failure[]> {
  const { namespace } = mock.metadata;
  const objects = [
    ...(seen.kservice ? [{ kind: kinds.kservice, metadata: seen.kservice.metadata }] : []),
    ...seen.configMaps.map((metadata) => ({ kind: kinds.configMap, metadata })),
  ].filter(({ metadata }) => ownershipOf(metadata, mock) === "stale");
  const failures: Failure[] = [];
  for (const { kind, metadata } of objects) {
    const child = `${kind === kinds.kservice ? "KService" : kind.kind} ${metadata.name}`;
    try {
      const { uid = "" } = metadata;
      await cluster.remove(kind, { namespace, name: metadata.name }, { uid });
      wrote.push(`removed ${child}`);
      failures.push({ child, class: "again", detail: "was left by another mock of this name" });
    } catch (error) {
      failures.push(failureOf(child, error));
    }
  }
  return failures;
}

/** Somebody else's object has the child's name. */
class Taken extends Error {
  failure(child: string): Failure {
    const detail =
      "an object of this name is somebody else's; rename the mock, or remove that object";
    return { child, class: "taken", detail };
  }
}

async function ensureConfigMap(
  work: Work,
  name: string,
  verdict: Verdict,
): Promise<{ metadata: ObjectMeta; restored: boolean }> {
  const { mock, seen, cluster, wrote } = work;
  const at = { namespace: mock.metadata.namespace, name };
  const definition =
    verdict.definition && configMapName(mock.metadata.name, verdict.definition.hash) === name
      ? verdict.definition
      : undefined;
  const desired = definition && configMapOf(mock, definition);
  const listed = seen.configMaps.find((configMap) => configMap.name === name);
  const observed = listed ?? (await cluster.get(kinds.configMap, at))?.metadata;
  if (observed === undefined) {
    if (desired === undefined) throw conflict(`get ConfigMap ${name}`, "it was removed in between");
    const stored = await cluster.apply(withVersion(desired, createOnly));
    wrote.push(`ConfigMap ${name}`);
    return { metadata: stored.metadata, restored: mock.status?.source === definition?.source };
  }
  refuseTaken(observed, mock);
  // What a compilation says of itself belongs to it, and to no other that led to the same.
  const known = desired?.metadata.annotations ?? {};
  const patch = repairOf(observed, mock, known);
  if (patch.length === 0) return { metadata: observed, restored: false };
  const restored =
    observed.annotations?.[annotations.source] ===
    (known[annotations.source] ?? observed.annotations?.[annotations.source]);
  const stored = await asConflict(async () => await cluster.patch(kinds.configMap, at, patch));
  wrote.push(`ConfigMap ${name}`);
  return { metadata: stored.metadata, restored };
}

async function ensureKService(
  work: Work,
  hash: string,
  /** Whether nobody changed a child since the status was written. */
  untouched: boolean,
): Promise<{ object: KubeObject; restored: boolean }> {
  const { mock, seen, cluster, settings, wrote } = work;
  const desired = kserviceOf(mock, hash, settings);
  const { kservice: observed } = seen;
  if (observed === undefined) {
    const object = await cluster.apply(withVersion(desired, createOnly));
    wrote.push(`KService ${mock.metadata.name}`);
    return { object, restored: mock.status?.applied !== undefined && isSettled(mock) };
  }
  refuseTaken(observed.metadata, mock);
  if (observed.metadata.deletionTimestamp !== undefined)
    throw conflict(`apply KService ${mock.metadata.name}`, "it is being removed");
  const same = desiredOf(observed) === desiredOf(desired);
  const metadata = covers(observed.metadata, desired.metadata, kserviceLists);
  // What a webhook of the cluster makes of our spec is as we left it: only another generation is somebody's change.
  const spec = (same && untouched) || covers(observed["spec"], desired["spec"], kserviceLists);
  if (same && metadata && spec) return { object: observed, restored: false };
  const { resourceVersion = createOnly } = observed.metadata;
  const object = await cluster.apply(withVersion(desired, resourceVersion));
  wrote.push(`KService ${mock.metadata.name}`);
  return { object, restored: same };
}

function refuseTaken(observed: ObjectMeta, mock: APIMock): void {
  if (ownershipOf(observed, mock) === "taken") throw new Taken("taken");
}

function desiredOf({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[desiredAnnotation];
}

function isSettled({ metadata, status }: APIMock): boolean {
  return status?.observedGeneration === metadata.generation;
}

function withVersion(object: KubeObject, resourceVersion: string): KubeObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion } };
}
