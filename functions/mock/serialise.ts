import type { ExactNumbers } from "../../lib/exact-json.ts";
import { exactJson } from "../../lib/exact-json.ts";
import { formatOf, jsonType, parseMediaType } from "./media-type.ts";

/**
 * Answers the text of a value in a media type. A type that nobody serialises is JSON text; text is sent as it is.
 * `rawJson` says that the schema admits no string, so that a string holding JSON is the JSON; `numbers` are those that a double does not hold.
 * Never throws, never rejects: YAML is loaded when first needed.
 */
export function serialise(
  value: unknown,
  contentType: string,
  { rawJson, numbers }: { readonly rawJson: boolean; readonly numbers: ExactNumbers },
): string | Promise<string> {
  const type = parseMediaType(contentType) ?? jsonType;
  const format = formatOf(type);
  const json: ToText = (item) => exactJson(item, numbers);
  if (format === "json") return rawJson && isJsonText(value) ? value : json(value);
  if (format === "events") return eventStream(value, json);
  if (format === "json-lines") return items(value, (item) => `${json(item)}\n`);
  // RFC 7464: each text after a record separator.
  if (format === "json-sequence") return items(value, (item) => `\u001e${json(item)}\n`);
  if (typeof value === "string") return value;
  if (format === "form" && isObject(value)) return formText(value, json);
  if (format === "yaml") return yamlText(value, numbers);
  return json(value);
}

type ToText = (value: unknown) => string;

async function yamlText(value: unknown, numbers: ExactNumbers): Promise<string> {
  const { parse, stringify } = await import("yaml");
  if (numbers === undefined) return stringify(value);
  return stringify(parse(exactJson(value, numbers), { intAsBigInt: true, schema: "json" }));
}

function isJsonText(value: unknown): value is string {
  if (typeof value !== "string") return false;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text is a stream already; anything but a list is one item. */
function items(value: unknown, frame: (item: unknown) => string): string {
  if (typeof value === "string") return value;
  return (Array.isArray(value) ? value : [value]).map(frame).join("");
}

/** Server-sent events (HTML, section 9.2.5): an item with `data` is an event with its fields, anything else the data of one. */
function eventStream(value: unknown, json: ToText): string {
  if (typeof value === "string" && /^(?:data|event|id|retry)?:/m.test(value)) return value;
  return (Array.isArray(value) ? value : [value]).map((item) => eventText(item, json)).join("");
}

function eventText(item: unknown, json: ToText): string {
  if (!isObject(item) || !("data" in item)) return `${lines("data", item, json)}\n`;
  const fields = ["event", "id", "retry", "data"].filter((name) => item[name] !== undefined);
  return `${fields.map((name) => lines(name, item[name], json)).join("")}\n`;
}

function lines(name: string, value: unknown, json: ToText): string {
  const text = typeof value === "string" ? value : json(value);
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => `${name}: ${line}\n`)
    .join("");
}

function formText(value: Readonly<Record<string, unknown>>, json: ToText): string {
  const pairs = Object.entries(value).flatMap(([name, member]) =>
    (Array.isArray(member) ? member : [member]).map((item: unknown): [string, string] => [
      name,
      typeof item === "string" ? item : json(item),
    ]),
  );
  return new URLSearchParams(pairs).toString();
}
