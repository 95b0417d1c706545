/** A set of characters. `ranges` hold code points, both ends included; `properties` are expressions for one character. */
export interface Charset {
  readonly ranges: readonly (readonly [low: number, high: number])[];
  readonly properties: readonly RegExp[];
  /** Sets of which this one holds all that is not in them (`[\W]`). */
  readonly complements: readonly Charset[];
  readonly negated: boolean;
}

/** Answers a set of ranges. */
function charset(...ranges: readonly (readonly [number, number])[]): Charset {
  return { ranges, properties: [], complements: [], negated: false };
}

/** Answers the set of one character. */
export function only(character: number): Charset {
  return charset([character, character]);
}

/** Answers what is in none of the sets. */
export function complement(set: Charset): Charset {
  return { ...set, negated: !set.negated };
}

/** Answers what is in any of the sets. */
export function union(sets: readonly Charset[]): Charset {
  const plain = sets.filter((set) => !set.negated);
  return {
    ranges: plain.flatMap((set) => set.ranges),
    properties: plain.flatMap((set) => set.properties),
    complements: [...plain.flatMap((set) => set.complements), ...sets.filter((set) => set.negated)],
    negated: false,
  };
}

/** Answers whether the set has a character, given as its code point. */
export function has(set: Charset, character: number): boolean {
  return isIn(set, character) !== set.negated;
}

function isIn({ ranges, complements, properties }: Charset, character: number): boolean {
  for (const [low, high] of ranges) if (character >= low && character <= high) return true;
  if (complements.some((other) => has(other, character))) return true;
  if (properties.length === 0) return false;
  const text = String.fromCodePoint(character);
  return properties.some((property) => property.test(text));
}

/** Answers how much work it is to look for a character in the set. */
export function weightOf({ ranges, properties, complements }: Charset): number {
  const own = 1 + ranges.length / 4 + properties.length * 4;
  return complements.reduce((sum, other) => sum + weightOf(other), own);
}

/** Answers a text that is the same for sets written the same. */
export function keyOf({ ranges, properties, complements, negated }: Charset): string {
  const parts = [
    ranges.join(),
    properties.map(({ source }) => source).join(),
    ...complements.map(keyOf),
  ];
  return `${negated ? "^" : ""}[${parts.join(";")}]`;
}

/** `\d` */
export const digits = charset([0x30, 0x39]);

/** `\w` */
export const wordCharacters = charset([0x30, 0x39], [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]);

/** `\s` */
export const spaces = charset(
  [0x09, 0x0d], [0x20, 0x20], [0xa0, 0xa0], [0x1680, 0x1680], [0x2000, 0x200a], [0x2028, 0x2029], [0x202f, 0x202f],
  [0x205f, 0x205f], [0x3000, 0x3000], [0xfeff, 0xfeff],
); // oxfmt-ignore

/** `.` */
export const anyButNewline = complement(charset([0x0a, 0x0a], [0x0d, 0x0d], [0x2028, 0x2029]));

/** Answers whether `\b` sees the character as part of a word. */
export function isWordCharacter(character: number): boolean {
  return has(wordCharacters, character);
}
