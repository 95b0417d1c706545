import type { Child, SharedConfigMap } from "../../lib/applied.ts";
import type { ObjectMeta, Row } from "../../lib/cluster/cluster.ts";
import { type Kind, kinds } from "../../lib/cluster/kinds.ts";
import { annotations, childLabels, desiredAnnotation, type Key } from "../../lib/names.ts";

/** A mock as its row in the table shows it: never its definition. Absent values are "" and 0. */
export interface MockRow extends Key {
  readonly uid: string;
  readonly generation: number;
  readonly observed: number;
  readonly ready: string;
  readonly available: string;
  readonly reason: string;
  readonly phase: string;
  readonly url: string;
  readonly build: string;
  readonly applied: string;
  /** Name of the ConfigMap that holds its definition. */
  readonly definitionFrom: string;
}

/** A child as a list shows it, with the uid of the mock that controls it. */
export interface ChildRow {
  readonly owner: string;
  readonly child: Child;
  /** Status of a workload's Ready condition; "" of what has none. */
  readonly ready: string;
  /** Where a workload says that it is reached; "" of what does not. */
  readonly url: string;
  /** Whether it carries the labels and annotations that every child of its kind carries: a change of them is no new generation. */
  readonly marked: boolean;
}

/** Answers the mock of a table's row. Columns are those of `knative/crd/apimock.yaml`. */
export function mockOfRow({ cells }: Row): MockRow {
  return {
    namespace: text(cells["Namespace"]),
    name: text(cells["Name"]),
    uid: text(cells["UID"]),
    generation: Number(cells["Generation"] ?? 0),
    observed: Number(cells["Observed"] ?? 0),
    ready: text(cells["Ready"]),
    available: text(cells["Available"]),
    reason: text(cells["Reason"]),
    phase: text(cells["Phase"]),
    url: text(cells["URL"]),
    build: text(cells["Build"]),
    applied: text(cells["Applied"]),
    definitionFrom: text(cells["Definition From"]),
  };
}

/** Answers the child of a row with metadata, or undefined where no APIMock controls it: Knative's own children inherit labels. */
export function childOfRow(kind: Kind, { cells, metadata }: Row): ChildRow | undefined {
  if (metadata === undefined) return undefined;
  const child = childOf(kind, metadata);
  return child && { ...child, ready: text(cells["Ready"]), url: text(cells["URL"]) };
}

/** Answers the child of an object's metadata, or undefined where no APIMock controls it. */
export function childOf(kind: Kind, metadata: ObjectMeta): ChildRow | undefined {
  const owner = metadata.ownerReferences?.find(
    ({ apiVersion, kind, controller }) =>
      controller === true && kind === "APIMock" && apiVersion.startsWith("apirator.io/"),
  );
  if (owner === undefined) return undefined;
  // Not the whole metadata: a list of all children must stay small.
  const { name, uid, generation } = metadata;
  const told = {
    name,
    ...(uid === undefined ? {} : { uid }),
    ...(generation === undefined ? {} : { generation }),
  };
  const marked = isMarked(kind, metadata, owner.name);
  return { owner: owner.uid, child: { kind, metadata: told }, ready: "", url: "", marked };
}

function isMarked(kind: Kind, metadata: ObjectMeta, mock: string): boolean {
  const isDefinition = kind === kinds.configMap;
  const labels = Object.entries(childLabels(mock, isDefinition ? "definition" : "mock"));
  const notes = isDefinition ? Object.values(annotations) : [desiredAnnotation];
  return (
    labels.every(([name, value]) => metadata.labels?.[name] === value) &&
    notes.every((name) => metadata.annotations?.[name] !== undefined)
  );
}

/** Answers what a fingerprint takes of a shared ConfigMap. */
export function sharedOf({ uid, resourceVersion }: ObjectMeta): SharedConfigMap {
  return {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

function text(cell: unknown): string {
  return typeof cell === "string" ? cell : "";
}
