import type { Schema } from "../compiled/compiled.ts";
import { canonical } from "./canonical.ts";
import { atLeast, atMost, itemSchemas, prefixLength } from "./facets.ts";
import type { Facets } from "./facets.ts";
import { foresee, isBare, nothing, placeBelow, randomAt } from "./making.ts";
import type { Making, Place } from "./making.ts";
import { singular } from "./names.ts";
import { isSchema } from "./reference.ts";

/** How often another value is asked for where items must differ. */
const mostVariations = 100;

/** Items that a seed adds at most to those that must be there. */
const mostExtra = 3;

/** Makes an array: as many items as must be there, and one at least where there is room. `nothing` where a required item cannot be made. */
export function makeArray(making: Making, place: Place, way: Facets): unknown {
  const { parts } = way;
  const contained = parts.flatMap((part) =>
    isSchema(part["contains"]) ? [containedOf(part)] : [],
  );
  const wanted = contained.reduce((sum, { count }) => sum + count, 0);
  // What contains is meant for comes after the items that have a schema of their own.
  const full = wanted === 0 ? 0 : Math.min(atMost(way, "maxItems"), prefixLength(parts) + wanted);
  const least = Math.max(atLeast(way, "minItems", 0), wanted, full);
  foresee(making, least);
  const count = countOf(making, place, { way, least });
  if (count > least) making.optional.made = true;
  const unique = parts.some((part) => part["uniqueItems"] === true);
  const items: unknown[] = [];
  const seen = new Set<string>();
  const shift = Math.max(0, Math.min(prefixLength(parts), count - wanted));
  for (let index = 0; index < count; index++) {
    const item = makeItem(making, place, {
      index,
      optional: index >= least,
      schemas: [...itemSchemas(parts, index), ...containedAt(contained, index - shift)],
      seen: unique ? seen : undefined,
    });
    if (item === nothing) return index >= least ? items : nothing;
    items.push(item);
  }
  return items;
}

interface Contained {
  readonly schema: Schema;
  readonly count: number;
}

function containedOf(part: Facets["parts"][number]): Contained {
  const { contains, minContains } = part;
  return { schema: contains as Schema, count: typeof minContains === "number" ? minContains : 1 };
}

/** The schema of `contains` that the item at an index is meant for, one after the other. */
function containedAt(contained: readonly Contained[], index: number): Schema[] {
  let start = 0;
  for (const { schema, count } of contained) {
    if (index >= start && index < start + count) return [schema];
    start += count;
  }
  return [];
}

function countOf(
  making: Making,
  place: Place,
  { way, least }: { way: Facets; least: number },
): number {
  const most = atMost(way, "maxItems");
  if (isBare(making, place)) return least;
  const welcome = Math.max(least, prefixLength(way.parts), 1);
  const extra = randomAt(making, place)?.integer(0, mostExtra) ?? 0;
  return Math.max(least, Math.min(most, welcome + extra));
}

interface Item {
  readonly index: number;
  readonly optional: boolean;
  readonly schemas: readonly Schema[];
  /** Items that this one must differ from. */
  readonly seen: Set<string> | undefined;
}

function makeItem(making: Making, place: Place, { index, optional, schemas, seen }: Item): unknown {
  if (schemas.includes(false)) return nothing;
  const start = seen === undefined ? 0 : seen.size;
  for (let more = 0; more <= (seen === undefined ? 0 : mostVariations); more++) {
    const vary = place.vary + start + more;
    const below = placeBelow(place, index, { name: singular(place.name), optional, vary });
    const item = making.make(below, schemas);
    if (item === nothing || seen === undefined) return item;
    const text = canonical(item);
    if (!seen.has(text)) {
      seen.add(text);
      return item;
    }
  }
  return nothing;
}
