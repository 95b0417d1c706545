import type { APIMock } from "../../lib/apimock.ts";
import type { ObjectMeta, OwnerReference } from "../../lib/cluster/cluster.ts";
import { manager, mockLabel } from "../../lib/names.ts";

/**
 * Whose an existing object with a child's name is.
 * - `ours`: this very mock controls it.
 * - `stale`: a mock of this name with another uid does (it was re-created, or came from a backup): it goes.
 * - `orphan`: nobody controls it, and it carries our labels: it is adopted.
 * - `taken`: anybody else's: never written, never removed.
 */
export type Ownership = "ours" | "stale" | "orphan" | "taken";

/** Answers whose the object is. Never looks at field managers: a label can be read by everybody, also by who took the name. */
export function ownershipOf(object: ObjectMeta, mock: APIMock): Ownership {
  const controller = controllerOf(object);
  if (controller === undefined) return hasOurLabels(object, mock) ? "orphan" : "taken";
  if (controller.uid === mock.metadata.uid) return "ours";
  const sameName = isMock(controller) && controller.name === mock.metadata.name;
  return sameName ? "stale" : "taken";
}

/** Answers the owner reference that makes the mock the controller; deleting it is the garbage collector's work and never blocked. */
export function ownerReferenceTo(mock: APIMock): OwnerReference {
  const { apiVersion, kind, metadata } = mock;
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? "", controller: true };
}

function controllerOf(object: ObjectMeta): OwnerReference | undefined {
  return object.ownerReferences?.find(({ controller }) => controller === true);
}

function isMock({ apiVersion, kind }: OwnerReference): boolean {
  return kind === "APIMock" && apiVersion.startsWith("apirator.io/");
}

function hasOurLabels({ labels }: ObjectMeta, mock: APIMock): boolean {
  return (
    labels?.[mockLabel] === mock.metadata.name && labels["app.kubernetes.io/managed-by"] === manager
  );
}
