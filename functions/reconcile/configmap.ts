import type { APIMock } from "../../lib/apimock.ts";
import type { JsonPatch, KubeObject, ObjectMeta } from "../../lib/cluster/cluster.ts";
import type { CompiledInfo } from "../../lib/compiled/compiled.ts";
import { annotations, childLabels, configMapName, definitionFile } from "../../lib/names.ts";
import { same } from "./diff.ts";
import { ownerReferenceTo } from "./ownership.ts";

/** A compiled definition on its way into a ConfigMap. */
export interface Definition {
  readonly hash: string;
  /** `status.source`: the text and compiler that it came of. */
  readonly source: string;
  readonly info: CompiledInfo;
  readonly packed: Uint8Array;
}

/** Answers the ConfigMap of a compiled definition: immutable, created once, never applied again. */
export function configMapOf(mock: APIMock, definition: Definition): KubeObject {
  const { name, namespace } = mock.metadata;
  const { hash, source, info, packed } = definition;
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name: configMapName(name, hash),
      namespace,
      labels: childLabels(name, "definition"),
      annotations: {
        [annotations.source]: source,
        ...infoNotes(info),
      },
      ownerReferences: [ownerReferenceTo(mock)],
    },
    immutable: true,
    binaryData: { [definitionFile]: Buffer.from(packed).toString("base64") },
  };
}

/** Answers the annotations that say what a compiled definition is. */
export function infoNotes({ version, title, operations }: CompiledInfo): Record<string, string> {
  return {
    [annotations.version]: version,
    [annotations.title]: titleOf(title),
    [annotations.operations]: String(operations),
  };
}

/** Answers what the ConfigMap says of its definition, or undefined where somebody took the annotations away. */
export function infoOf({ annotations: notes }: ObjectMeta): CompiledInfo | undefined {
  const version = notes?.[annotations.version];
  const title = notes?.[annotations.title];
  const operations = notes?.[annotations.operations];
  if (version === undefined || title === undefined || operations === undefined) return undefined;
  return { version, title, operations: Number(operations) };
}

/**
 * Answers the patch that gives the ConfigMap its labels, annotations and owner back, empty where nothing is amiss. Its data is never touched: it is
 * immutable, and gzip differs between zlibs. `known` are the annotations that are known without compiling.
 */
export function repairOf(
  observed: ObjectMeta,
  mock: APIMock,
  known: Readonly<Record<string, string>>,
): JsonPatch[] {
  const owner = ownerReferenceTo(mock);
  const owners = observed.ownerReferences ?? [];
  const wanted = {
    labels: { ...observed.labels, ...childLabels(mock.metadata.name, "definition") },
    annotations: { ...observed.annotations, ...known },
    ownerReferences: [...owners.filter(({ uid }) => uid !== owner.uid), owner],
  };
  const owned = owners.some(({ uid, controller }) => uid === owner.uid && controller === true);
  const changes: JsonPatch[] = [];
  if (!same(observed.labels ?? {}, wanted.labels))
    changes.push({ op: "add", path: "/metadata/labels", value: wanted.labels });
  if (!same(observed.annotations ?? {}, wanted.annotations))
    changes.push({ op: "add", path: "/metadata/annotations", value: wanted.annotations });
  if (!owned)
    changes.push({ op: "add", path: "/metadata/ownerReferences", value: wanted.ownerReferences });
  if (changes.length === 0) return [];
  const { resourceVersion } = observed;
  return [{ op: "test", path: "/metadata/resourceVersion", value: resourceVersion }, ...changes];
}

/** Annotations share 256 KiB; a title is for reading. */
function titleOf(title: string): string {
  const letters = Array.from(title);
  return letters.length > 200 ? `${letters.slice(0, 199).join("")}…` : title;
}
