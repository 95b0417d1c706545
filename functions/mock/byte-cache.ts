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

/** Answers an empty cache that never holds more than `most` bytes. */
export function createByteCache<Value>(most: number): ByteCache<Value> {
  const entries = new Map<string, Entry<Value>>();
  const ids = new WeakMap<object, number>();
  let lastId = 0;
  let held = 0;
  const keyOf = (owner: object, variant: string): string => {
    const id = ids.get(owner) ?? (lastId += 1);
    ids.set(owner, id);
    return `${id} ${variant}`;
  };
  return {
    get: (owner, variant) => entries.get(keyOf(owner, variant))?.value,
    set(owner, variant, entry) {
      if (entry.bytes * 4 > most) return;
      const key = keyOf(owner, variant);
      held += entry.bytes - (entries.get(key)?.bytes ?? 0);
      entries.delete(key);
      entries.set(key, entry);
      for (const [oldest, { bytes }] of entries) {
        if (held <= most) return;
        entries.delete(oldest);
        held -= bytes;
      }
    },
  };
}
