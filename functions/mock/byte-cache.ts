/** Keeps values by name up to a number of bytes; the oldest go first. */
export interface ByteCache<Value> {
  get(key: string): Value | undefined;
  /** A value larger than a quarter of the whole is not kept. */
  set(key: string, value: Value, bytes: number): void;
}

/** Answers an empty cache that never holds more than `most` bytes. */
export function createByteCache<Value>(most: number): ByteCache<Value> {
  const entries = new Map<string, { value: Value; bytes: number }>();
  let held = 0;
  return {
    get: (key) => entries.get(key)?.value,
    set(key, value, bytes) {
      if (bytes * 4 > most) return;
      held += bytes - (entries.get(key)?.bytes ?? 0);
      entries.delete(key);
      entries.set(key, { value, bytes });
      for (const [oldest, entry] of entries) {
        if (held <= most) return;
        entries.delete(oldest);
        held -= entry.bytes;
      }
    },
  };
}
