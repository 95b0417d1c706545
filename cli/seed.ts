import type { KubeObject } from "../lib/cluster/cluster.ts";
import { kinds } from "../lib/cluster/kinds.ts";
import type { Event } from "../lib/cloudevent.ts";
import { definitionLabel, keyText } from "../lib/names.ts";

/**
 * Answers the world that a replay begins with: mocks and shared definition ConfigMaps from the objects given and from events that carry
 * theirs. Of a uid the highest resourceVersion counts, and a delete removes it; of a name then the newest. The order of events never
 * matters. Children and statuses are left out: they are what the operator makes.
 */
export function seedObjects(
  objects: readonly KubeObject[],
  events: readonly Event[],
): KubeObject[] {
  const states = [
    ...objects.map((object) => ({ object, deleted: false })),
    ...events.flatMap((event) => {
      const object = carriedObject(event);
      return object === undefined ? [] : [{ object, deleted: event.type.endsWith(".delete") }];
    }),
  ].filter(({ object }) => isSeed(object));
  const byUid = newest(states, ({ object }) => `${nameOf(object)} ${object.metadata.uid ?? ""}`);
  const gone = new Set(
    states.filter((state) => state.deleted).map(({ object }) => object.metadata.uid),
  );
  const alive = byUid.filter(
    ({ object: { metadata } }) => metadata.uid === undefined || !gone.has(metadata.uid),
  );
  return newest(alive, ({ object }) => nameOf(object)).map(({ object }) => bare(object));
}

/** Answers the object that an event in Resource mode carries, or undefined: a reference names one and carries none. */
function carriedObject({ type, data }: Event): KubeObject | undefined {
  if (!type.startsWith("dev.knative.apiserver.resource.")) return undefined;
  return isObject(data) ? data : undefined;
}

/** Answers the objects of `kubectl get -o yaml` or `-o json`: of a List its items, else the object itself. */
export function listedObjects(value: unknown): KubeObject[] {
  const { items } = (value ?? {}) as { items?: unknown };
  return (Array.isArray(items) ? (items as unknown[]) : [value]).filter(isObject);
}

function isObject(value: unknown): value is KubeObject {
  const { apiVersion, kind, metadata } = (value ?? {}) as Partial<KubeObject>;
  return (
    typeof apiVersion === "string" && typeof kind === "string" && typeof metadata?.name === "string"
  );
}

function isSeed({ apiVersion, kind, metadata }: KubeObject): boolean {
  if (apiVersion === kinds.apimock.apiVersion && kind === kinds.apimock.kind) return true;
  return kind === kinds.configMap.kind && metadata.labels?.[definitionLabel] === "true";
}

function newest<State extends { object: KubeObject }>(
  states: readonly State[],
  by: (state: State) => string,
): State[] {
  const kept = new Map<string, State>();
  for (const state of states) {
    const old = kept.get(by(state));
    if (old === undefined || versionOf(old.object) <= versionOf(state.object))
      kept.set(by(state), state);
  }
  return [...kept.values()].sort((a, b) => (nameOf(a.object) < nameOf(b.object) ? -1 : 1));
}

/** resourceVersions are numbers of any length here; one that is none, or missing, is the oldest. */
function versionOf({ metadata }: KubeObject): bigint {
  const version = metadata.resourceVersion ?? "";
  return /^\d+$/.test(version) ? BigInt(version) : -1n;
}

function nameOf(object: KubeObject): string {
  const { name } = object.metadata;
  return `${object.kind} ${keyText({ namespace: namespaceOf(object), name })}`;
}

function bare(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata, ...rest } = object;
  const { name, labels, annotations, finalizers } = metadata;
  const kept = { namespace: namespaceOf(object), labels, annotations, finalizers };
  const set = Object.entries(kept).filter(([, value]) => value !== undefined);
  const members = Object.entries(rest).filter(([member]) => member !== "status");
  return {
    apiVersion,
    kind,
    metadata: { name, namespace: "", ...Object.fromEntries(set) },
    ...Object.fromEntries(members),
  };
}

/** A file that people wrote may leave it out, whatever the type says. */
function namespaceOf({ metadata }: KubeObject): string {
  return (metadata as { namespace?: string }).namespace ?? "default";
}
