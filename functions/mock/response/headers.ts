import type { Header, MadeBody, Pairs } from "../../../lib/compiled/compiled.ts";
import type { ExactNumbers } from "../../../lib/exact-json.ts";
import { exactJson } from "../../../lib/exact-json.ts";
import { isFieldValue } from "../../../lib/field-value.ts";
import { isToken } from "../exchange.ts";
import type { Fields } from "../exchange.ts";
import type { Maker } from "./made.ts";

/** What the server or the body decides, what a connection is about, and codings that are not done. */
const kept = new Set(["connection", "content-encoding", "content-length", "content-type", "date", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"]); // oxfmt-ignore

/** Answers whether the value of a header is still to be made. */
export function lacksValue({ example, made, schema }: Header): boolean {
  return example === undefined && made === undefined && schema !== undefined;
}

/**
 * Answers the header fields of a response, from an example, else as generated. Left out: what a mock may not say (`Date`,
 * `Content-Length` …), what has no value, and values that are no field values. Several cookies are several fields.
 */
export function responseHeaders(
  headers: Pairs<Header>,
  { maker, numbers }: { readonly maker: Maker | undefined; readonly numbers: ExactNumbers },
): Fields {
  return headers.flatMap(([name, header]) => {
    if (kept.has(name.toLowerCase()) || !isToken(name)) return [];
    const value = header.example ?? (header.made ?? make(maker, header))?.value;
    const texts =
      name.toLowerCase() === "set-cookie" && Array.isArray(value)
        ? value.map((cookie) => simple(cookie, false, numbers))
        : [simple(value, header.explode, numbers)];
    return texts.flatMap((text) =>
      text === undefined || !isFieldValue(text) ? [] : [[name, text] as const],
    );
  });
}

function make(maker: Maker | undefined, { schema }: Header): MadeBody | undefined {
  return schema === undefined ? undefined : maker?.value(schema);
}

/** Style `simple`, the one of headers: items by commas; members `name,value`, or `name=value` where exploded. */
function simple(value: unknown, explode: boolean, numbers: ExactNumbers): string | undefined {
  const plain = (item: unknown): string =>
    typeof item === "string" ? item : exactJson(item, numbers);
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return value.map(plain).join(",");
  if (typeof value !== "object") return plain(value);
  return Object.entries(value)
    .map(([name, member]) => `${name}${explode ? "=" : ","}${plain(member)}`)
    .join(",");
}
