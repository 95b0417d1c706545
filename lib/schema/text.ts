/** Lengths that a text must have, in characters (Unicode code points, as JSON Schema counts). */
export interface Lengths {
  readonly min: number;
  readonly max: number;
  /** Another number asks for another text. */
  readonly vary: number;
}

const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** Answers the number of characters of a text. */
export function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** Answers the text cut or repeated to fit the lengths; with `vary` a number at its end, or another letter where that is too long. */
export function sized(text: string, { min, max, vary }: Lengths): string {
  const suffix = suffixOf(vary, max);
  const room = Math.max(0, max - suffix.length);
  const characters = Array.from(text).slice(0, room);
  const missing = min - suffix.length - characters.length;
  if (missing <= 0) return characters.join("") + suffix;
  const filler = text.length > 0 ? Array.from(text) : ["x"];
  const turn = characters.length % filler.length;
  const round = [...filler.slice(turn), ...filler.slice(0, turn)];
  const more =
    round.join("").repeat(Math.floor(missing / round.length)) +
    round.slice(0, missing % round.length).join("");
  return characters.join("") + more + suffix;
}

/** Answers a letter or digit, for each number up to 61 another one. */
export function letter(vary: number): string {
  return alphabet.charAt(vary % alphabet.length);
}

function suffixOf(vary: number, max: number): string {
  if (vary === 0) return "";
  const number = String(vary + 1);
  if (number.length <= max) return number;
  let rest = vary;
  let text = "";
  while (text.length < max) {
    text = letter(rest) + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}
