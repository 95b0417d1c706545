import type { Parameter } from "../compiled/compiled.ts";
import type { ToJson } from "./value.ts";

/** Separators between the items of a list that is not exploded. */
const separators: Readonly<Partial<Record<Parameter["style"], string>>> = {
  spaceDelimited: "%20",
  pipeDelimited: "%7C",
  tabDelimited: "%09",
};

/**
 * Answers how a value is written as a parameter (OpenAPI 3.1 section 4.8.12.4, styles), percent-encoded where it stands in a URL:
 * a path's segment part, or `name=value` pairs joined by `&` of a query. Pure.
 */
export function styledText(parameter: Parameter, value: unknown, json: ToJson): string {
  const { name, style, explode } = parameter;
  if (parameter.content !== undefined) {
    const text = encoded(json(value));
    return isPaired(parameter) ? `${encoded(name)}=${text}` : text;
  }
  const items: ToItems = (of, exploded) => itemsOf(of, exploded, json);
  if (style === "matrix") return matrix(parameter, value, items);
  if (style === "label") return `.${items(value, explode).join(explode ? "." : ",")}`;
  if (style === "simple") return items(value, explode).join(",");
  if (style === "deepObject") return deepPairs(encoded(name), value, json).join("&");
  return form(parameter, value, items);
}

function isPaired({ in: place }: Parameter): boolean {
  return place === "query" || place === "cookie";
}

function matrix({ name, explode }: Parameter, value: unknown, items: ToItems): string {
  if (explode && Array.isArray(value))
    return items(value, true)
      .map((item) => `;${name}=${item}`)
      .join("");
  if (explode && isRecord(value))
    return items(value, true)
      .map((item) => `;${item}`)
      .join("");
  return `;${name}=${items(value, false).join(",")}`;
}

function form({ name, style, explode }: Parameter, value: unknown, items: ToItems): string {
  const key = encoded(name);
  if (explode && Array.isArray(value))
    return items(value, true)
      .map((item) => `${key}=${item}`)
      .join("&");
  if (explode && isRecord(value)) return items(value, true).join("&");
  return `${key}=${items(value, false).join(separators[style] ?? ",")}`;
}

function deepPairs(name: string, value: unknown, json: ToJson): string[] {
  if (!isRecord(value) && !Array.isArray(value)) return [`${name}=${scalar(value, json)}`];
  return Object.entries(value).flatMap(([key, member]) =>
    deepPairs(`${name}%5B${encoded(key)}%5D`, member, json),
  );
}

/** A list's items, an object's `key=value` (exploded) or `key`, `value` in turn, or the one value. */
type ToItems = (value: unknown, explode: boolean) => string[];

function itemsOf(value: unknown, explode: boolean, json: ToJson): string[] {
  if (Array.isArray(value)) return value.map((item) => scalar(item, json));
  if (!isRecord(value)) return [scalar(value, json)];
  return Object.entries(value).flatMap(([key, member]) =>
    explode ? [`${encoded(key)}=${scalar(member, json)}`] : [encoded(key), scalar(member, json)],
  );
}

function scalar(value: unknown, json: ToJson): string {
  if (value === null) return "";
  return encoded(typeof value === "string" ? value : json(value));
}

function encoded(text: string): string {
  // Brackets and braces would be patterns to curl, quotes would end a shell word.
  return encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.codePointAt(0)?.toString(16).toUpperCase()}`,
  );
}

/** Answers whether a value is an object of JSON. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
