import type { Header, Pairs } from "../../../lib/compiled/compiled.ts";
import { isFieldValue, isToken } from "../exchange.ts";
import type { Fields } from "../exchange.ts";

/** What the server or the body decides, what a connection is about, and codings that are not done. */
const kept = new Set(["connection", "content-encoding", "content-length", "content-type", "date", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"]); // oxfmt-ignore

/**
 * Answers the header fields of a response, from an example, else as generated. Left out: what a mock may not say (`Date`,
 * `Content-Length` …), what has no value, and values that are no field values. Several cookies are several fields.
 */
export function responseHeaders(headers: Pairs<Header>): Fields {
  return headers.flatMap(([name, header]) => {
    if (kept.has(name.toLowerCase()) || !isToken(name)) return [];
    const value = header.example === undefined ? header.made?.value : header.example;
    const texts =
      name.toLowerCase() === "set-cookie" && Array.isArray(value)
        ? value.map((cookie) => simple(cookie, false))
        : [simple(value, header.explode)];
    return texts.flatMap((text) =>
      text === undefined || !isFieldValue(text) ? [] : [[name, text] as const],
    );
  });
}

/** Style `simple`, the one of headers: items by commas; members `name,value`, or `name=value` where exploded. */
function simple(value: unknown, explode: boolean): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return value.map(plain).join(",");
  if (typeof value !== "object") return plain(value);
  return Object.entries(value)
    .map(([name, member]) => `${name}${explode ? "=" : ","}${plain(member)}`)
    .join(",");
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
