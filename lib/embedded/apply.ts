import type { Fields } from "./fields.ts";
import { leavesOf, withParents, withoutFields } from "./fields.ts";
import type { Json, JsonObject } from "./json.ts";
import { sameJson } from "./json.ts";
import { merge } from "./merge.ts";
import type { Shape } from "./shape.ts";

/** Who set which fields, and how (an entry of `metadata.managedFields`). One for each manager, operation and subresource. */
export interface Manager {
  readonly name: string;
  readonly operation: "Apply" | "Update";
  readonly subresource: "" | "status";
  readonly fields: Fields;
}

/** A write as its manager sees it. */
export type Writer = Omit<Manager, "fields">;

/** An object without what identifies it, and who owns its fields. */
export interface Managed {
  readonly body: JsonObject;
  readonly managers: readonly Manager[];
}

/**
 * Answers what a forced server-side apply leaves: the applied fields are the manager's, taken from others where the value differs;
 * what the manager had applied before, dropped now, and nobody else owns, is removed. `applied` has no server-side metadata.
 */
export function applyBody(
  live: Managed,
  applied: JsonObject,
  by: { writer: Writer; shape: Shape },
): Managed {
  const { writer, shape } = by;
  const wanted = leavesOf(applied, shape);
  const { own, others } = takeOver(live, wanted, by);
  const fields = new Set(wanted.keys());
  const owned = withParents([fields, ...others.map((manager) => manager.fields)]);
  const gone =
    own === undefined ? new Set<string>() : new Set(withParents([own.fields]).difference(owned));
  // metadata holds the object's name too: a manager that drops its last label must not take that along.
  gone.delete("f:metadata");
  const body = withoutFields(merge(live.body, applied, shape), shape, gone) as JsonObject;
  return { body, managers: [...others, { ...writer, fields }] };
}

/**
 * Answers who owns what after an update that was no apply (PUT, JSON Patch): what changed is the manager's alone, what is gone
 * is nobody's.
 */
export function updateBody(
  live: Managed,
  body: JsonObject,
  by: { writer: Writer; shape: Shape },
): Managed {
  const { writer, shape } = by;
  const { own, others, changed } = takeOver(live, leavesOf(body, shape), by);
  const mine = { ...writer, fields: changed.union(own?.fields ?? new Set<string>()) };
  return { body, managers: [...others, mine] };
}

/** Answers which of the leaves differ from what is live, and who else owns what once these are the writer's alone. */
function takeOver(
  live: Managed,
  leaves: ReturnType<typeof leavesOf>,
  { writer, shape }: { writer: Writer; shape: Shape },
): { changed: Fields; own: Manager | undefined; others: Manager[] } {
  const before = leavesOf(live.body, shape);
  const changed = new Set(
    [...leaves].filter(([path, leaf]) => !sameJson(before.get(path), leaf)).map(([path]) => path),
  );
  const own = live.managers.find((manager) => isSame(manager, writer));
  const others = live.managers
    .filter((manager) => manager !== own)
    .map((manager) => ({ ...manager, fields: manager.fields.difference(changed) }));
  return { changed, own, others };
}

/** Answers whether two lists of managers say the same. */
export function sameManagers(a: readonly Manager[], b: readonly Manager[]): boolean {
  return (
    a.length === b.length &&
    a.every((manager) => {
      const other = b.find((candidate) => isSame(candidate, manager));
      return (
        other !== undefined &&
        other.fields.size === manager.fields.size &&
        other.fields.isSubsetOf(manager.fields)
      );
    })
  );
}

/** Answers the managers without fields that the object does not have, and without those who own nothing. */
export function ownersOf(
  managers: readonly Manager[],
  now: { body: Json; shape: Shape },
): readonly Manager[] {
  const there = new Set(leavesOf(now.body, now.shape).keys());
  return managers
    .map((manager) => ({ ...manager, fields: manager.fields.intersection(there) }))
    .filter((manager) => manager.fields.size > 0);
}

function isSame(a: Writer, b: Writer): boolean {
  return a.name === b.name && a.operation === b.operation && a.subresource === b.subresource;
}
