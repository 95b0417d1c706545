import type { Json } from "./json.ts";
import { isList, isObject, memberOf, sameJson } from "./json.ts";
import { itemSegment } from "./fields.ts";
import type { Shape } from "./shape.ts";
import { itemShape, memberShape } from "./shape.ts";

/**
 * Answers the live value with the applied one laid over it, member by member and item by item as the shape says. Nothing is
 * removed. Items of the applied list keep their order; live ones that it lacks stay where they were between them.
 */
export function merge(live: Json | undefined, applied: Json, shape: Shape): Json {
  if (live === undefined || shape.atomic === true) return keep(live, applied);
  if (isList(live) && isList(applied) && shape.list !== undefined)
    return keep(live, mergeItems(live, applied, shape));
  if (!isObject(live) || !isObject(applied)) return keep(live, applied);
  const merged = new Map(Object.entries(live));
  for (const [name, member] of Object.entries(applied))
    merged.set(name, merge(memberOf(live, name), member, memberShape(shape, name)));
  return keep(live, Object.fromEntries(merged));
}

function mergeItems(live: readonly Json[], applied: readonly Json[], shape: Shape): Json[] {
  const segment = (item: Json) => itemSegment(item, shape);
  const byKey = new Map(live.map((item) => [segment(item), item]));
  const wanted = new Set(applied.map(segment));
  const merged: Json[] = [];
  let next = 0;
  for (const item of applied) {
    while (next < live.length && !wanted.has(segment(live[next] as Json)))
      merged.push(live[next++] as Json);
    const key = segment(item);
    if (next < live.length && segment(live[next] as Json) === key) next += 1;
    merged.push(shape.list === "set" ? item : merge(byKey.get(key), item, itemShape(shape)));
  }
  for (; next < live.length; next += 1)
    if (!wanted.has(segment(live[next] as Json))) merged.push(live[next] as Json);
  return merged;
}

/** The live value where both are the same, so that what did not change stays the same object. */
function keep(live: Json | undefined, merged: Json): Json {
  return live !== undefined && sameJson(live, merged) ? live : merged;
}
