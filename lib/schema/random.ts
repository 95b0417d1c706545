/** A source of numbers that a seed decides: the same seed gives the same row of numbers, on every machine. */
export interface Random {
  /** Answers a number of at least 0 and below 1. */
  next(this: void): number;
  /** Answers an integer from `low` to `high`, both included; `low` where the range is empty. */
  integer(this: void, low: number, high: number): number;
  /** Answers one member of a list that is not empty. */
  pick<Item>(this: void, items: readonly Item[]): Item;
}

/** Answers the source of numbers of a seed. Not for secrets. */
export function createRandom(seed: string): Random {
  let state = hash(seed);
  // Mulberry32: 32 bits of state, each multiply exact through Math.imul.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const integer = (low: number, high: number): number =>
    high <= low ? low : low + Math.floor(next() * (high - low + 1));
  return {
    next,
    integer,
    pick<Item>(items: readonly Item[]): Item {
      if (items.length === 0) throw new RangeError("nothing to pick from an empty list");
      return items[integer(0, items.length - 1)] as Item;
    },
  };
}

/** FNV-1a over UTF-16 code units, finished so that seeds that differ in one character are far apart. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++)
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return (value ^ (value >>> 13)) | 0;
}
