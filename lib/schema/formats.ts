import { fullFormats } from "ajv-formats/dist/formats.js";

/** How a known format judges: values of another type always pass (JSON Schema, validation, section 7.1). */
export type Format =
  | { readonly type: "string"; readonly accepts: (text: string) => boolean }
  | { readonly type: "number"; readonly accepts: (value: number) => boolean };

/**
 * Answers how a format of JSON Schema 2020-12 or of OpenAPI's format registry judges, or undefined where the name is not known:
 * an unknown format never asserts. Formats that only advise (`password`, `binary`, `html`) accept everything.
 */
export function formatOf(name: string): Format | undefined {
  return formats.get(name);
}

/** Answers the names of all formats that are known, sorted. */
export function formatNames(): readonly string[] {
  return [...formats.keys()].toSorted();
}

const text = (accepts: (text: string) => boolean): Format => ({ type: "string", accepts });
const pattern = (expression: RegExp): Format => text((value) => expression.test(value));
const anyText = text(() => true);
const largestFloat = 3.4028234663852886e38;

/** The numbers that a format allows, both ends included. */
export interface NumberRange {
  readonly low: number;
  readonly high: number;
  /** Where larger numbers of the format are read as a double above `high`: the largest such double. */
  readonly rounded?: number;
  readonly whole: boolean;
}

/** Answers the numbers that a format allows, undefined where it does not speak of numbers. */
export function formatRange(name: string): NumberRange | undefined {
  return ranges.get(name);
}

const integers = (low: number, high: number, rounded = high): NumberRange => ({
  low,
  high,
  rounded,
  whole: true,
});

const ranges: ReadonlyMap<string, NumberRange> = new Map([
  ["int8", integers(-128, 127)],
  ["int16", integers(-32_768, 32_767)],
  ["int32", integers(-2_147_483_648, 2_147_483_647)],
  // The outermost numbers that a double has inside the range; the largest ones of the format itself, such as Java's Long.MAX_VALUE, are read as the power.
  ["int64", integers(-9_223_372_036_854_775_808, 9_223_372_036_854_774_784, 2 ** 63)],
  ["uint8", integers(0, 255)],
  ["uint16", integers(0, 65_535)],
  ["uint32", integers(0, 4_294_967_295)],
  ["uint64", integers(0, 18_446_744_073_709_549_568, 2 ** 64)],
  ["double-int", integers(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)],
  ["float", { low: -largestFloat, high: largestFloat, whole: false }],
  ["double", { low: -Number.MAX_VALUE, high: Number.MAX_VALUE, whole: false }],
]);

function numberFormat({ low, high, rounded = high, whole }: NumberRange): Format {
  return {
    type: "number",
    accepts: (value) => value >= low && value <= rounded && (!whole || Number.isInteger(value)),
  };
}

const formats: ReadonlyMap<string, Format> = new Map<string, Format>([
  ...[...ranges].map(([name, range]): [string, Format] => [name, numberFormat(range)]),
  ["decimal", pattern(/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/)],
  ["decimal128", pattern(/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$|^-?Infinity$|^NaN$/)],
  ["byte", text((value) => value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value))],
  ["base64url", text((value) => value.length % 4 !== 1 && /^[A-Za-z0-9_-]*$/.test(value))],
  ["char", pattern(/^[^]$/u)],
  ["binary", anyText],
  ["password", anyText],
  ["commonmark", anyText],
  ["html", anyText],
  ["date", text(isDate)],
  ["time", text((value) => isTime(value, "zoned"))],
  ["time-local", text((value) => isTime(value, "local"))],
  ["date-time", text((value) => isDateTime(value, "zoned"))],
  ["date-time-local", text((value) => isDateTime(value, "local"))],
  ["duration", text((value) => value.length <= 256 && test(fullFormats.duration, value))],
  ["http-date", text(isHttpDate)],
  ["email", text((value) => isEmail(value, isHostname))],
  ["idn-email", text((value) => isEmail(value, isInternationalHostname))],
  ["hostname", text(isHostname)],
  ["idn-hostname", text(isInternationalHostname)],
  ["ipv4", text((value) => value.length <= 15 && test(fullFormats.ipv4, value))],
  ["ipv6", text(isIpv6)],
  ["uri", text(isUri)],
  ["uri-reference", text(isUriReference)],
  ["iri", text((value) => isUri(asAscii(value)))],
  ["iri-reference", text((value) => isUriReference(asAscii(value)))],
  ["uri-template", text((value) => test(fullFormats["uri-template"], asAscii(value)))],
  ["uuid", pattern(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i)],
  ["json-pointer", text((value) => test(fullFormats["json-pointer"], value))],
  ["relative-json-pointer", text((value) => test(fullFormats["relative-json-pointer"], value))],
  ["regex", text(isExpression)],
  ["media-range", pattern(/^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?: *; *[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"[^"]*"))*$/)],
  ["sf-boolean", pattern(/^\?[01]$/)],
  ["sf-integer", pattern(/^-?\d{1,15}$/)],
  ["sf-decimal", pattern(/^-?\d{1,12}\.\d{1,3}$/)],
  ["sf-string", pattern(/^"(?:[ !#-[\]-~]|\\["\\])*"$/)],
  ["sf-token", pattern(/^[A-Za-z*][\w!#$%&'*+.^`|~:/-]*$/)],
  ["sf-binary", pattern(/^:[A-Za-z0-9+/]*={0,2}:$/)],
]); // oxfmt-ignore

function test(known: unknown, value: string): boolean {
  return known instanceof RegExp && known.test(value);
}

function isDate(value: string): boolean {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value);
  if (parts === null) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  if (month < 1 || month > 12 || day < 1) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day <= (days[month - 1] ?? 0);
}

/** RFC 3339, section 5.6; second 60 only where it is 23:59 in UTC. */
function isTime(value: string, zone: "zoned" | "local"): boolean {
  const parts = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:([zZ])|([+-])(\d\d):(\d\d))?$/.exec(value);
  if (parts === null) return false;
  const [, hour, minute, second, zulu, sign, offsetHour = "0", offsetMinute = "0"] = parts;
  if ((zulu ?? sign) === undefined ? zone === "zoned" : zone === "local") return false;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return false;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return false;
  if (second !== "60") return true;
  const offset = (sign === "-" ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute));
  return (Number(hour) * 60 + Number(minute) - offset + 1440) % 1440 === 1439;
}

function isDateTime(value: string, zone: "zoned" | "local"): boolean {
  const separator = value.charAt(10);
  if (separator !== "T" && separator !== "t") return false;
  return isDate(value.slice(0, 10)) && isTime(value.slice(11), zone);
}

/** RFC 9110, section 5.6.7, the form that is sent today. */
function isHttpDate(value: string): boolean {
  const parts =
    /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) ([A-Z][a-z]{2}) (\d{4}) ([\d:]{8}) GMT$/.exec(value);
  if (parts === null) return false;
  const [, day, monthName, year, time] = parts;
  const month = "JanFebMarAprMayJunJulAugSepOctNovDec".indexOf(monthName ?? "") / 3 + 1;
  if (!Number.isInteger(month) || month < 1) return false;
  return isDate(`${year}-${String(month).padStart(2, "0")}-${day}`) && isTime(`${time}Z`, "zoned");
}

/** RFC 5321, section 4.1.2: a dotted or a quoted local part, and a host or an address in brackets. */
function isEmail(value: string, isHost: (host: string) => boolean): boolean {
  const at = value.lastIndexOf("@");
  const local = value.slice(0, at);
  if (at < 1 || value.length > 320 || local.length > 64) return false;
  const atom = isHost === isHostname ? dotAtom : internationalDotAtom;
  if (!atom.test(local) && !/^"(?:[ !#-[\]-~]|\\[ -~])*"$/.test(local)) return false;
  const host = value.slice(at + 1);
  const address = /^\[(?:IPv6:(.+)|(.+))\]$/i.exec(host);
  if (address === null) return isHost(host);
  return address[1] === undefined ? test(fullFormats.ipv4, address[2] ?? "") : isIpv6(address[1]);
}

const dotAtom = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const internationalDotAtom =
  /^[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+(?:\.[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+)*$/u;

function isHostname(value: string): boolean {
  return value.length <= 254 && test(fullFormats.hostname, value);
}

/** RFC 5890: labels of letters, marks and digits whose ASCII form the platform knows. */
function isInternationalHostname(value: string): boolean {
  if (value.length === 0 || value.length > 253) return false;
  const labels = value.split(/[.\u3002\uff0e\uff61]/);
  if (
    !labels.every((label) =>
      /^(?!-)[\p{L}\p{M}\p{N}\u00b7\u0375\u05f3\u05f4\u30fb\p{Join_C}-]+(?<!-)$/u.test(label),
    )
  )
    return false;
  return URL.canParse(`http://${value}/`) && isHostname(new URL(`http://${value}/`).hostname);
}

function isIpv6(value: string): boolean {
  return value.length <= 45 && test(fullFormats.ipv6, value);
}

function isUri(value: string): boolean {
  const scheme = /^[a-z][a-z0-9+.-]*:/i.test(value);
  return scheme && isUriReference(value);
}

function isUriReference(value: string): boolean {
  return !value.includes('"') && test(fullFormats["uri-reference"], value);
}

/** An IRI is a URI in which more characters are allowed (RFC 3987, section 2.2): those become a letter. */
function asAscii(value: string): string {
  return value.replace(/[\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef]|[\u{10000}-\u{efffd}]/gu, "a");
}

function isExpression(value: string): boolean {
  try {
    return new RegExp(value, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
