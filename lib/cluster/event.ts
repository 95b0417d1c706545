import { sha256 } from "../hash.ts";
import { manager } from "../names.ts";
import type { Cluster, EventNote, KubeObject } from "./cluster.ts";
import { kinds } from "./kinds.ts";

const hour = 3_600_000;

/**
 * Records a Kubernetes Event (core/v1) with the rights create and patch alone. Its name is made from what it says, so a repetition
 * meets the Event of before: the apply changes nothing and answers it with its count. Count and times are then written by a JSON patch;
 * it counts as another writer than an apply, so the next apply leaves them alone. More than an hour after the last time it begins anew.
 */
export async function recordEvent(
  cluster: Pick<Cluster, "apply" | "patch">,
  note: EventNote,
  now: Date,
): Promise<void> {
  const stored = await cluster.apply(eventOf(note));
  const { namespace, name } = stored.metadata;
  const time = now.toISOString().replace(/\.\d+Z$/, "Z");
  const { count, since } = before(stored, now) ?? { count: 0, since: time };
  await cluster.patch(kinds.event, { namespace, name }, [
    { op: "add", path: "/count", value: count + 1 },
    { op: "add", path: "/firstTimestamp", value: since },
    { op: "add", path: "/lastTimestamp", value: time },
  ]);
}

/** Answers the parts of the Event that every repetition shares. Names and notes are cut to Kubernetes' limits. */
function eventOf(note: EventNote): KubeObject {
  const { apiVersion, kind, metadata } = note.about;
  const { namespace, name, uid } = metadata;
  const says = sha256(JSON.stringify([kind, uid, note.type, note.reason, note.note]));
  return {
    apiVersion: kinds.event.apiVersion,
    kind: kinds.event.kind,
    metadata: { namespace, name: `${name.slice(0, 200)}.${says.slice(0, 16)}` },
    involvedObject: { apiVersion, kind, namespace, name, ...(uid === undefined ? {} : { uid }) },
    type: note.type,
    reason: note.reason,
    message: note.note.slice(0, 1024),
    source: { component: manager },
    reportingComponent: manager,
    reportingInstance: manager,
  };
}

function before(stored: KubeObject, now: Date): { count: number; since: string } | undefined {
  const { count, firstTimestamp, lastTimestamp } = stored;
  if (typeof count !== "number") return undefined;
  if (typeof firstTimestamp !== "string" || typeof lastTimestamp !== "string") return undefined;
  const age = now.getTime() - Date.parse(lastTimestamp);
  return age < hour ? { count, since: firstTimestamp } : undefined;
}
