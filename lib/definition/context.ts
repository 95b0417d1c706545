import type { Definition, Report } from "./definition.ts";
import { isObject } from "./json.ts";
import type { JsonObject } from "./json.ts";
import { childPointer } from "./pointer.ts";
import type { Schemas } from "./schemas.ts";

/** What every normaliser needs: the document, the schemas collected so far, and where to tell what is noticed. */
export interface Context {
  readonly definition: Definition;
  readonly schemas: Schemas;
  readonly report: Report;
}

/** A value of the document and where it stands, references followed. */
export interface Located {
  readonly value: JsonObject;
  readonly pointer: string;
}

/** Answers what stands at `key` with its references followed; an empty object where there is nothing usable, as the rules have told it. */
export function locate(
  { definition }: Pick<Context, "definition">,
  value: unknown,
  pointer: string,
): Located {
  const target = definition.references.follow(pointer, value);
  if (target.kind !== "found" || !isObject(target.value)) return { value: {}, pointer };
  return { value: target.value, pointer: target.pointer };
}

/** Answers the members of a map in the order they were written, each with its pointer. */
export function entriesOf(
  { definition }: Pick<Context, "definition">,
  map: unknown,
  pointer: string,
): { readonly name: string; readonly value: unknown; readonly pointer: string }[] {
  if (!isObject(map)) return [];
  return definition.source
    .keys(map)
    .map((name) => ({ name, value: map[name], pointer: childPointer(pointer, name) }));
}

/** Answers the items of a list, each with its pointer. */
export function itemsOf(
  list: unknown,
  pointer: string,
): { readonly value: unknown; readonly pointer: string }[] {
  if (!Array.isArray(list)) return [];
  return (list as unknown[]).map((value, index) => ({
    value,
    pointer: childPointer(pointer, index),
  }));
}
