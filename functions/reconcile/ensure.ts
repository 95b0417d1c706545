import type { APIMock } from "../../lib/apimock.ts";
import type { KubeObject, ObjectMeta } from "../../lib/cluster/cluster.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import { annotations, configMapName, desiredAnnotation } from "../../lib/names.ts";
import type { Work } from "./children.ts";
import { asConflict, conflict } from "./conflict.ts";
import { configMapOf, infoNotes, repairOf } from "./configmap.ts";
import { covers, kserviceLists } from "./diff.ts";
import type { Failure } from "./failure.ts";
import { kserviceOf } from "./kservice.ts";
import { ownershipOf } from "./ownership.ts";
import type { Verdict } from "./verdict.ts";

/** A resourceVersion that no object has: with it an apply creates, and never writes what somebody made in between (409). */
const createOnly = "1";

/** Somebody else's object has the child's name. */
export class Taken extends Error {
  failure(child: string): Failure {
    const detail =
      "an object of this name is somebody else's; rename the mock, or remove that object";
    return { child, class: "taken", detail };
  }
}

/**
 * Answers the ConfigMap of that name as it is left: created where it is absent, its labels, annotations and owner given back where somebody took them,
 * else as it was. Throws `Taken` and `ClusterError`.
 */
export async function ensureConfigMap(
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
  const known = desired?.metadata.annotations ?? notesOf(observed, mock);
  const patch = repairOf(observed, mock, known);
  if (patch.length === 0) return { metadata: observed, restored: false };
  // Another compiler that comes to the same result is no drift.
  const source = observed.annotations?.[annotations.source];
  const restored = source === undefined || source === known[annotations.source];
  const stored = await asConflict(async () => await cluster.patch(kinds.configMap, at, patch));
  const changed = isChanged(observed, stored.metadata);
  if (changed) wrote.push(`ConfigMap ${name}`);
  return { metadata: stored.metadata, restored: changed && restored };
}

/**
 * Answers the KService as it is left: applied whole where it differs from what is desired, else as it was. Throws `Taken` and `ClusterError`.
 */
export async function ensureKService(
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
  const changed = isChanged(observed.metadata, object.metadata);
  if (changed) wrote.push(`KService ${mock.metadata.name}`);
  return { object, restored: changed && same };
}

/** What is left by another mock of this name is removed before; what shows only now is left to the garbage collector. */
function refuseTaken(observed: ObjectMeta, mock: APIMock): void {
  const whose = ownershipOf(observed, mock);
  if (whose === "taken") throw new Taken("taken");
  if (whose === "stale")
    throw conflict(`apply ${observed.name}`, "another mock of this name left it");
}

/** Annotations that are known without compiling: those that are there, and what the status says of the same definition. */
function notesOf(observed: ObjectMeta, { metadata, status }: APIMock): Record<string, string> {
  const noted = status?.definition;
  const isSame = noted !== undefined && configMapName(metadata.name, noted.hash) === observed.name;
  const told = isSame ? infoNotes(noted) : {};
  // Which text a held definition came of is in no spec; once it is wanted again, compiling tells.
  return { [annotations.source]: "unknown", ...told, ...observed.annotations };
}

function desiredOf({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[desiredAnnotation];
}

/** A write that changes nothing leaves the resourceVersion: a webhook has the last word, at each write the same. */
function isChanged(before: ObjectMeta, after: ObjectMeta): boolean {
  return before.resourceVersion !== after.resourceVersion;
}

function isSettled({ metadata, status }: APIMock): boolean {
  return status?.observedGeneration === metadata.generation;
}

function withVersion(object: KubeObject, resourceVersion: string): KubeObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion } };
}
