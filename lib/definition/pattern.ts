/**
 * Answers a pattern that compiles by JSON Schema's rules (ECMA-262 with the u flag): as written, or with escapes and brackets mended that only the
 * older rules allow. Undefined where it is no regular expression at all. The meaning is never changed.
 */
export function mendedPattern(pattern: string): string | undefined {
  if (compiles(pattern, "u")) return pattern;
  if (!compiles(pattern, "")) return undefined;
  const mended = mend(pattern);
  return compiles(mended, "u") ? mended : undefined;
}

function compiles(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

const part = /\\[dDwWsS]-|\\.|\[\^?|\]|\{\d+(?:,\d*)?\}|[{}]|-(?=\\[dDwWsS])|[^\\[\]{}-]+|-/gsu;

/** Escapes that mean nothing (`\_`, `\@`) lose their backslash; `{`, `}` and `]` that stand for themselves get one; so does `-` beside a class. */
function mend(pattern: string): string {
  let inside = false;
  return pattern.replace(part, (word, offset: number) => {
    if (word.startsWith("\\")) return mendEscape(word, inside);
    if (inside && word === "]") inside = false;
    else if (inside) return mendMember(word, pattern.slice(offset + 1));
    else if (word.startsWith("[")) inside = true;
    else if (word === "]" || word === "{" || word === "}") return `\\${word}`;
    return word;
  });
}

function mendEscape(escape: string, inside: boolean): string {
  const [, letter = "", dash = ""] = escape;
  if (dash !== "") return inside ? `\\${letter}\\-` : escape;
  if (inside && letter === "-") return escape;
  return /[\dA-Za-z^$\\.*+?()[\]{}|/]/.test(letter) ? escape : letter;
}

/** In a class, a dash before a class escape stands for itself, and so does a bracket that opens. */
function mendMember(word: string, rest: string): string {
  if (word === "-" && /^\\[dDwWsS]/.test(rest)) return String.raw`\-`;
  return word.replaceAll("[", String.raw`\[`);
}
