/** Keeps values of objects, by variant, up to a number of bytes; the oldest go first. */
export interface ByteCache<Value> {
  get(owner: object, variant: string): Value | undefined;
  /** A value larger than a quarter of the whole is not kept. */
  set(owner: object, variant: string, entry: Entry<Value>): void;
}

/** A value, and how much memory it takes. */
export interface Entry<Value> {
  readonly value: Value;
  readonly bytes: number;
}

interface Kept<Value> extends Entry<Value> {
  readonly owner: object;
  readonly variant: string;
}

/** Answers an empty cache that never holds more than `most` bytes. */
export function createByteCache<Value>(most: number): ByteCache<Value> {
  const owners = new Map<object, Map<string, Kept<Value>>>();
  // In the order of their coming.
  const all = new Set<Kept<Value>>();
  let held = 0;
  const drop = (kept: Kept<Value>): void => {
    all.delete(kept);
    held -= kept.bytes;
    const variants = owners.get(kept.owner);
    variants?.delete(kept.variant);
    if (variants?.size === 0) owners.delete(kept.owner);
  };
  return {
    get: (owner, variant) => owners.get(owner)?.get(variant)?.value,
    set(owner, variant, entry) {
      if (entry.bytes * 4 > most) return;
      const known = owners.get(owner)?.get(variant);
      if (known !== undefined) drop(known);
      const kept = { ...entry, owner, variant };
      const variants = owners.get(owner) ?? new Map<string, Kept<Value>>();
      owners.set(owner, variants.set(variant, kept));
      all.add(kept);
      held += kept.bytes;
      for (const oldest of all) {
        if (held <= most) return;
        drop(oldest);
      }
    },
  };
}
