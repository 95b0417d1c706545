/** A number as a text has it, and where. */
export interface Literal {
  readonly text: string;
  readonly offset: number;
}

/** The numbers of a text that JavaScript would write otherwise, and the places where two of them are one to it. */
export interface NumberTexts {
  /** By what JavaScript writes (`9223372036854776000`), what is meant (`9223372036854775807`), as JSON. */
  readonly exact: Readonly<Record<string, string>>;
  readonly confused: readonly { readonly message: string; readonly offset: number }[];
}

/** A double holds any number of 15 digits. */
const long = /[\d.]{16}/;

/** Answers whether there may be numbers in the text that a double does not hold: most texts have none, and need no second look. Pure. */
export function hasLongNumbers(text: string): boolean {
  return long.test(text);
}

/** Answers how numbers are meant that a double does not hold. Two that are the same double cannot be told apart later: neither is exact. Pure. */
export function numberTexts(literals: Iterable<Literal>): NumberTexts {
  const exact = new Map<string, string>();
  const confused = new Map<string, { message: string; offset: number }>();
  for (const { text, offset } of literals) {
    const meant = jsonNumber(text);
    if (meant === undefined || !long.test(meant)) continue;
    const written = JSON.stringify(Number(meant));
    if (isSame(meant, written)) continue;
    const first = exact.get(written);
    if (first !== undefined && !isSame(first, meant) && !confused.has(written)) {
      const message = `${meant} and ${first} are one number to JavaScript; both go out as ${written}`;
      confused.set(written, { message, offset });
    }
    if (first === undefined) exact.set(written, meant);
  }
  for (const written of confused.keys()) exact.delete(written);
  return { exact: Object.fromEntries(exact), confused: [...confused.values()] };
}

/** Answers a number of JSON (RFC 8259 section 6) for one of YAML's core schema; undefined for what is none. */
function jsonNumber(text: string): string | undefined {
  if (/^0[xo]/.test(text)) return BigInt(text).toString();
  const bare = text.replace(/^\+/, "");
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(bare) ? bare : undefined;
}

function isSame(one: string, other: string): boolean {
  return canonical(one) === canonical(other);
}

/** Answers digits and exponent without zeros that mean nothing: 1.50e3 and 1500 are the same. */
function canonical(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign}${significant}e${significant === "" ? 0 : power}`;
}
