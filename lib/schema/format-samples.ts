import type { Random } from "./random.ts";
import { letter, lengthOf } from "./text.ts";
import type { Lengths } from "./text.ts";

/** What a sample must be like. */
export interface SampleWish extends Lengths {
  readonly random: Random | undefined;
}

/** How samples of a format are made: the preferred one first, shorter and longer ones after it, and how one grows. */
interface Samples {
  texts(this: void, number: number): readonly string[];
  /** Answers the text longer by at least that many characters; absent where the length is fixed. */
  readonly grow?: (text: string, by: number) => string;
}

/**
 * Answers a readable value of a format within the lengths, another one for each number, a random one with a seed. Undefined where the format
 * has no form of its own, or none within the lengths.
 */
export function formatSample(format: string, wish: SampleWish): string | undefined {
  const samples = table.get(format);
  if (samples === undefined) return undefined;
  const number = (wish.random?.integer(0, 9999) ?? 0) + wish.vary;
  const { min, max } = wish;
  const texts = samples.texts(number);
  const fitting = texts.find((text) => text.length >= min && text.length <= max);
  if (fitting !== undefined || samples.grow === undefined) return fitting;
  for (const text of texts) {
    if (text.length >= min) continue;
    const grown = samples.grow(text, min - text.length);
    if (lengthOf(grown) >= min && lengthOf(grown) <= max) return grown;
  }
  return undefined;
}

const day = 86_400_000;
/** 17 May 2024, 09:30 UTC, and a number of days after it. */
const moment = (number: number): Date =>
  new Date(Date.UTC(2024, 4, 17, 9, 30) + (number % 2000) * day);
const date = (number: number): string => moment(number).toISOString().slice(0, 10);
const time = (number: number): string =>
  `${String(9 + (number % 12)).padStart(2, "0")}:${String(30 + (number % 30)).padStart(2, "0")}:00`;
const hex = (number: number, digits: number): string =>
  number.toString(16).padStart(digits, "0").slice(-digits);
const mark = (number: number): string => (number === 0 ? "" : String(number + 1));

const append = (text: string, by: number): string => text + "x".repeat(by);
const inFraction = (text: string, by: number): string =>
  text.replace(
    /(?:\.(\d+))?(Z?)$/,
    (_, digits: string | undefined, zone: string) =>
      `.${digits ?? ""}${"0".repeat(Math.max(1, by - 1))}${zone}`,
  );
const inDigits = (text: string, by: number): string =>
  text.replace(/\d/, (digit) => "1".repeat(by) + digit);

/** A label has at most 63 characters: more of them go before. */
function inHost(host: string, by: number): string {
  if (by <= 1) return "x".repeat(by) + host;
  const label = Math.min(by - 1, 60);
  return inHost(`${"x".repeat(label)}.${host}`, by - label - 1);
}

function inEmail(email: string, by: number): string {
  const at = email.indexOf("@");
  const local = Math.min(by, 64 - at);
  return `${email.slice(0, at)}${"x".repeat(local)}@${inHost(email.slice(at + 1), by - local)}`;
}

function inBase64(text: string, by: number): string {
  return "YWJj".repeat(Math.ceil(by / 4)) + text;
}

const fixed = (texts: (number: number) => readonly string[]): Samples => ({ texts });
const growing = (texts: (number: number) => readonly string[], grow = append): Samples => ({
  texts,
  grow,
});
const digits = growing((number) => [String(number + 1), String((number % 9) + 1)], inDigits);

const emails = growing(
  (number) => [`ada${mark(number)}@example.com`, `ada${mark(number)}@b.co`, `${letter(number)}@b`],
  inEmail,
);
const hosts = growing(
  (number) => [`api${mark(number)}.example.com`, `b${mark(number)}.co`, letter(number % 52)],
  inHost,
);
const uris = growing((number) => [
  `https://example.com/${number === 0 ? "" : number + 1}`,
  `urn:a:${letter(number)}`,
  `${letter(number % 52)}:`,
]);
const references = growing((number) => [`/items/${number + 1}`, letter(number)]);

const table: ReadonlyMap<string, Samples> = new Map<string, Samples>([
  ["date", fixed((number) => [date(number)])],
  ["time", growing((number) => [`${time(number)}Z`], inFraction)],
  ["time-local", growing((number) => [time(number)], inFraction)],
  ["date-time", growing((number) => [`${date(number)}T${time(number)}Z`], inFraction)],
  ["date-time-local", growing((number) => [`${date(number)}T${time(number)}`], inFraction)],
  ["http-date", fixed((number) => [moment(number).toUTCString()])],
  ["duration", growing((number) => [`P${number + 1}D`, `P${(number % 9) + 1}D`], inDigits)],
  ["email", emails],
  ["idn-email", emails],
  ["hostname", hosts],
  ["idn-hostname", hosts],
  ["ipv4", fixed((number) => [`192.0.2.${(number % 254) + 1}`, `10.0.0.${(number % 254) + 1}`, `198.51.100.${(number % 155) + 100}`, `10.0.0.${(number % 9) + 1}`, `10.10.10.${(number % 9) + 1}`, `100.100.100.${(number % 155) + 100}`])],
  ["ipv6", fixed((number) => [`2001:db8::${hex(number + 1, 4).replace(/^0+/, "")}`, `::${hex((number % 15) + 1, 1)}`, ...longerIpv6(number)])],
  ["uri", uris],
  ["iri", uris],
  ["uri-reference", references],
  ["iri-reference", references],
  ["uri-template", growing((number) => [`/items${mark(number)}/{id}`, `{${letter(number % 52)}}`, letter(number)])],
  ["uuid", fixed((number) => [`f81d4fae-7dec-41d0-a765-00a0c9${hex(number + 1, 6)}`])],
  ["json-pointer", growing((number) => [`/items/${number}`, `/${letter(number)}`, ""], (text, by) => (text === "" ? append("/", by - 1) : append(text, by)))],
  ["relative-json-pointer", growing((number) => [`${number}/items`, `${number}`, `${number % 10}`], (text, by) => (text.includes("/") ? append(text, by) : text))],
  ["regex", growing((number) => [`^[a-z]{1,${number + 1}}$`, letter(number)])],
  ["byte", growing((number) => [btoa(`hello${mark(number)}`), btoa(String(100 + (number % 900))), ""], inBase64)],
  ["base64url", growing((number) => [`aGVsbG8${letter(number)}`, `aG${letter(number)}`, `a${letter(number)}`, ""], (text, by) => ((text.length + by) % 4 === 1 ? append(text, by + 1) : append(text, by)))],
  ["char", fixed((number) => [letter(number)])],
  ["decimal", growing((number) => [`${9 + number}.99`, String((number % 9) + 1)], inDigits)],
  ["decimal128", growing((number) => [`${9 + number}.99`, String((number % 9) + 1)], inDigits)],
  ["media-range", growing((number) => [number === 0 ? "application/json" : `application/vnd.a${number + 1}`, `a/${letter(number)}`])],
  ["sf-boolean", fixed((number) => [`?${(number + 1) % 2}`])],
  ["sf-integer", growing((number) => [String(number + 1), String((number % 9) + 1)], inDigits)],
  ["sf-decimal", growing((number) => [`${9 + number}.5`, `${(number % 9) + 1}.5`], inDigits)],
  ["sf-string", growing((number) => [`"text${mark(number)}"`, `"${letter(number)}"`, '""'], (text, by) => `"${"x".repeat(by)}${text.slice(1)}`)],
  ["sf-token", growing((number) => [`token${mark(number)}`, letter(number % 52)])],
  ["sf-binary", growing((number) => [`:${btoa(`hello${mark(number)}`)}:`, ":YWI=:", "::"], (text, by) => `:${inBase64(text.slice(1), by)}`)],
  ...["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float", "double", "double-int"].map((name): [string, Samples] => [name, digits]),
]); // oxfmt-ignore

/** The same address with more of its zeros written out. */
function longerIpv6(number: number): string[] {
  const groups = ["2001", "db8", "0", "0", "0", "0", "0", hex(number + 1, 4)];
  const long = groups.map((group) => group.padStart(4, "0"));
  return Array.from({ length: groups.length + 1 }, (_, written) =>
    [...long.slice(0, written), ...groups.slice(written)].join(":"),
  );
}
