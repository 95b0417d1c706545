/**
 * Lists that server-side apply merges by a key, by the name of their field; every other list is atomic and compared whole. In a KService that
 * includes `containers` and what is in them, and `traffic` (knative/serving config/core/300-resources/service.yaml).
 */
export type KeyedLists = Readonly<Record<string, string>>;

/** The keyed lists of a KService that are reached outside an atomic one. */
export const kserviceLists: KeyedLists = { ownerReferences: "uid", volumes: "name" };

/**
 * Answers whether the observed value has all that is desired. Maps may hold more (a webhook's or a person's), atomic lists may not. A key that is
 * desired no more is not seen here: the annotation `apirator.io/desired` tells that.
 */
export function covers(observed: unknown, desired: unknown, lists: KeyedLists): boolean {
  if (!isMap(desired)) return same(observed, desired);
  if (!isMap(observed)) return false;
  return Object.entries(desired).every(([field, value]) => {
    if (value === undefined) return true;
    const key = lists[field];
    if (key !== undefined && Array.isArray(value))
      return coversItems(observed[field], value, { key, lists });
    return covers(observed[field], value, lists);
  });
}

/** Answers whether two JSON values are the same; a member that is undefined counts as absent. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => same(item, b[index]));
  if (!isMap(a) || !isMap(b)) return false;
  const fields = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...fields].every((field) => same(a[field], b[field]));
}

function coversItems(
  observed: unknown,
  desired: readonly unknown[],
  by: { key: string; lists: KeyedLists },
): boolean {
  if (!Array.isArray(observed)) return false;
  const items: readonly unknown[] = observed;
  return desired.every((item) => {
    const name = isMap(item) ? item[by.key] : undefined;
    const other = items.find((candidate) => isMap(candidate) && candidate[by.key] === name);
    return covers(other, item, by.lists);
  });
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
