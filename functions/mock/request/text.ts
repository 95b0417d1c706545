/** What a request says of a value, decoded, before types are known: a text, a list, or named members. */
export type Text = string | readonly Text[] | ReadonlyMap<string, Text>;

/** Undoes percent-encoding; answers the text as it is where an escape is broken or is not UTF-8. */
export function decodePercent(raw: string): string {
  if (!raw.includes("%")) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

/** Undoes `application/x-www-form-urlencoded`, where a plus is a space: queries and forms. */
export function decodeForm(raw: string): string {
  return decodePercent(raw.includes("+") ? spaced(raw) : raw);
}

/** Part by part: replacing takes memory for each place, thirty times that of the text, until the last is replaced. */
function spaced(raw: string): string {
  const parts: string[] = [];
  for (let at = 0; at < raw.length; at += partLength) {
    parts.push(
      raw
        .slice(at, at + partLength)
        .split("+")
        .join(" "),
    );
  }
  return parts.join("");
}

const partLength = 65_536;

/** The raw values of each name, in the order of the wire. Names are decoded, values are not. */
export type Entries = ReadonlyMap<string, readonly string[]>;

/** Answers how many entries a query or a form body has at most, without taking it apart. */
export function countPairs(raw: string): number {
  let pairs = 1;
  for (let at = raw.indexOf("&"); at !== -1; at = raw.indexOf("&", at + 1)) pairs += 1;
  return pairs;
}

/** Answers the entries of a query or of a form body; a name without `=` has the value "". */
export function formEntries(raw: string): Entries {
  return collect(raw.split("&"), decodeForm);
}

/** Answers the entries of a Cookie header (RFC 6265, section 4.2.1); quotes around a value go. */
export function cookieEntries(header: string): Entries {
  const cookies = header.split(";").map((part) => {
    const cookie = part.trim();
    const quoted = /^([^=]*=)"(.*)"$/s.exec(cookie);
    return quoted === null ? cookie : `${quoted[1] ?? ""}${quoted[2] ?? ""}`;
  });
  return collect(cookies, (name) => name.trim());
}

function collect(parts: readonly string[], decodeName: (raw: string) => string): Entries {
  const entries = new Map<string, string[]>();
  for (const part of parts) {
    if (part === "") continue;
    const [rawName, value] = halves(part, "=");
    const name = decodeName(rawName);
    const values = entries.get(name);
    if (values === undefined) entries.set(name, [value]);
    else values.push(value);
  }
  return entries;
}

/** Answers what stands before and after the first separator; "" after, where there is none. */
export function halves(text: string, separator: string): [before: string, after: string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}
