import type { Child, SharedConfigMap } from "../../lib/applied.ts";
import type { ObjectMeta, Row } from "../../lib/cluster/cluster.ts";
import type { Kind } from "../../lib/cluster/kinds.ts";
import type { Key } from "../../lib/names.ts";

/** A mock as its row in the table shows it: never its definition. Absent values are "" and 0. */
export interface MockRow extends Key {
  readonly uid: string;
  readonly generation: number;
  readonly observed: number;
  readonly ready: string;
  readonly available: string;
  readonly reason: string;
  readonly phase: string;
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
    build: text(cells["Build"]),
    applied: text(cells["Applied"]),
    definitionFrom: text(cells["Definition From"]),
  };
}

/** Answers the child of a row with metadata, or undefined where no APIMock controls it: Knative's own children inherit labels. */
export function childOfRow(kind: Kind, { cells, metadata }: Row): ChildRow | undefined {
  if (metadata === undefined) return undefined;
  return childOf(kind, metadata, text(cells["Ready"]));
}

/** Answers the child of an object's metadata, or undefined where no APIMock controls it. */
export function childOf(kind: Kind, metadata: ObjectMeta, ready = ""): ChildRow | undefined {
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
  return { owner: owner.uid, child: { kind, metadata: told }, ready };
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
