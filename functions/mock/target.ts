/** A request target, split and still percent-encoded. */
export interface Target {
  /** Begins with a slash, or is `*`. */
  readonly path: string;
  /** What follows the first `?`; "" where there is none. */
  readonly query: string;
}

const absolute = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/**
 * Answers path and query of a raw request target in origin, absolute or asterisk form (RFC 9112, section 3.2); undefined for
 * anything else. Never decodes, never removes dot segments, never takes `//a` for an authority.
 */
export function parseTarget(raw: string): Target | undefined {
  const whole = raw.startsWith("/") ? raw : raw.replace(absolute, "");
  // The scheme and host were all there was.
  const rest = whole !== raw && !whole.startsWith("/") ? `/${whole}` : whole;
  if (!rest.startsWith("/") && rest !== "*") return undefined;
  const hash = rest.indexOf("#");
  const sent = hash === -1 ? rest : rest.slice(0, hash);
  const mark = sent.indexOf("?");
  return mark === -1
    ? { path: sent, query: "" }
    : { path: sent.slice(0, mark), query: sent.slice(mark + 1) };
}

/** Answers the text without percent-encoding; undefined where an escape is broken or not UTF-8. */
export function decodeEscapes(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
