import type { MediaType } from "./media-type.ts";
import { formatOf, isRange, jsonType, parseMediaType } from "./media-type.ts";

/** A type that a response has: a key of its `content`. `kind` is what its value is, where the key is a range. */
export interface Offer {
  readonly key: string;
  readonly kind: "structure" | "string" | "bytes";
}

/** What negotiation chose: the key, and the concrete type that is sent. */
export interface Chosen {
  readonly key: string;
  readonly contentType: string;
}

interface Range extends MediaType {
  readonly q: number;
}

/**
 * Answers the offer that suits an `Accept` field best (RFC 9110, section 12.5.1), or undefined where none does. By quality, then by how
 * exactly it was asked for, then JSON first, then in the document's order. The library `negotiator` breaks ties by the
 * order of the field instead, and knows no offers that are ranges.
 */
export function negotiate(accept: string | null, offers: readonly Offer[]): Chosen | undefined {
  const ranges = accept === null || accept.trim() === "" ? parseAccept("*/*") : parseAccept(accept);
  return (
    best(ranges, offers, true) ??
    best(ranges, offers, false) ??
    // A client of plain JSON reads what has the suffix.
    best(withSuffix(ranges), offers, false)
  );
}

/** Answers what goes out where nothing needs to be asked: the first type, a range made concrete. */
export function firstType(offers: readonly Offer[]): Chosen | undefined {
  const [offer] = offers;
  return offer === undefined ? undefined : { key: offer.key, contentType: concrete(offer) };
}

function parseAccept(accept: string): Range[] {
  return splitList(accept).flatMap((text) => {
    const range = parseMediaType(text);
    if (range === undefined) return [];
    const { q = "1", ...parameters } = Object.fromEntries(range.parameters);
    const quality = Number.parseFloat(q);
    return [
      {
        ...range,
        parameters: new Map(Object.entries(parameters)),
        q: Number.isNaN(quality) ? 1 : Math.min(Math.max(quality, 0), 1),
      },
    ];
  });
}

/** Splits at commas that are not in a quoted string; one that does not end goes to the end. */
function splitList(text: string): string[] {
  return text.includes('"')
    ? (text.match(/(?:[^,"]|"(?:[^"\\]|\\.)*(?:"|\\?$))+/gs) ?? [])
    : text.split(",");
}

function withSuffix(ranges: readonly Range[]): Range[] {
  return ranges
    .filter(({ type, subtype }) => type === "application" && subtype === "json")
    .map((range) => ({ ...range, subtype: "+json", parameters: jsonType.parameters }));
}

function best(
  ranges: readonly Range[],
  offers: readonly Offer[],
  parameters: boolean,
): Chosen | undefined {
  let found: { chosen: Chosen; rank: readonly number[] } | undefined;
  for (const offer of offers) {
    for (const contentType of typesOf(offer, ranges)) {
      const type = parseMediaType(contentType) ?? jsonType;
      const { q, exact } = qualityOf(type, ranges, parameters);
      if (q === 0) continue;
      const rank = [q, exact, Number(formatOf(type) === "json")];
      if (found === undefined || higher(rank, found.rank)) {
        found = { chosen: { key: offer.key, contentType }, rank };
      }
    }
  }
  return found?.chosen;
}

function higher(left: readonly number[], right: readonly number[]): boolean {
  const at = left.findIndex((value, index) => value !== right[index]);
  return at !== -1 && (left[at] ?? 0) > (right[at] ?? 0);
}

/** The most exact range that a type falls into decides its quality, so that `q=0` can take one out of many. */
function qualityOf(type: MediaType, ranges: readonly Range[], parameters: boolean) {
  let found = { q: 0, exact: -1 };
  for (const range of ranges) {
    const exact = exactness(type, range, parameters);
    if (exact > found.exact) found = { q: range.q, exact };
  }
  return found;
}

function exactness(type: MediaType, range: Range, parameters: boolean): number {
  if (range.type === "*" && range.subtype === "*") return 0;
  if (range.type !== type.type) return -1;
  if (range.subtype === "*") return 1;
  if (range.subtype === "+json") return type.subtype.endsWith("+json") ? 2 : -1;
  if (range.subtype !== type.subtype) return -1;
  if (!parameters) return 2;
  for (const [name, value] of range.parameters) {
    if (type.parameters.get(name)?.toLowerCase() !== value.toLowerCase()) return -1;
  }
  return 2 + range.parameters.size;
}

/** A key that is a range stands for what is asked for by name inside it, and for the usual type of its value. */
function typesOf(offer: Offer, ranges: readonly Range[]): string[] {
  const key = parseMediaType(offer.key);
  if (key === undefined) return ["application/json"];
  if (!isRange(key)) return [offer.key];
  const named = ranges
    .filter((range) => !isRange(range) && inside(range, key) && fits(range, offer.kind))
    .map(({ type, subtype }) => `${type}/${subtype}`);
  return [...named, concrete(offer)];
}

function inside({ type }: MediaType, key: MediaType): boolean {
  return key.type === "*" || key.type === type;
}

/** A structure is written as none of these: its JSON text would go out under a name that it is not. */
const unwritten: ReadonlySet<string> = new Set(["text", "bytes", "xml"]);

function fits(type: MediaType, kind: Offer["kind"]): boolean {
  return kind !== "structure" || !unwritten.has(formatOf(type));
}

const usualTypes: Readonly<Record<string, string>> = {
  image: "image/png",
  audio: "audio/mpeg",
  video: "video/mp4",
  font: "font/woff2",
  text: "text/plain",
};

function concrete({ key, kind }: Offer): string {
  const range = parseMediaType(key);
  if (range === undefined) return "application/json";
  if (!isRange(range)) return key;
  const usual = Object.hasOwn(usualTypes, range.type) ? usualTypes[range.type] : undefined;
  if (usual !== undefined) return usual;
  if (kind === "structure") return "application/json";
  if (kind === "bytes") return "application/octet-stream";
  return range.type === "*" ? "text/plain" : "application/json";
}
