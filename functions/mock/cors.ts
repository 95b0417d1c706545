import type { Answer, Fields, MockRequest } from "./exchange.ts";
import { isFieldValue } from "../../lib/field-value.ts";

/** Response headers that scripts may read without being told so (Fetch, CORS-safelisted response-header name). */
const safelisted = new Set(["cache-control", "content-language", "content-length", "content-type", "expires", "last-modified", "pragma"]); // oxfmt-ignore

/** Answers whether a request asks for leave to send another one (Fetch, CORS-preflight request). */
export function isPreflight({ method, headers }: Pick<MockRequest, "method" | "headers">): boolean {
  return (
    method === "OPTIONS" &&
    headers.get("origin") !== null &&
    headers.get("access-control-request-method") !== null
  );
}

/** Answers a preflight: whatever is asked for is allowed, on any path. */
export function preflight({ headers }: MockRequest): Answer {
  const mirrored = (name: string, from: string): Fields => {
    const value = headers.get(from);
    return value === null || !isFieldValue(value) ? [] : [[name, value]];
  };
  return {
    status: 204,
    headers: [
      ...mirrored("Access-Control-Allow-Origin", "origin"),
      ["Access-Control-Allow-Credentials", "true"],
      ...mirrored("Access-Control-Allow-Methods", "access-control-request-method"),
      ...mirrored("Access-Control-Allow-Headers", "access-control-request-headers"),
      ["Vary", "Origin, Access-Control-Request-Method, Access-Control-Request-Headers"],
    ],
    body: null,
  };
}

/** Answers the headers with what lets any origin read the answer; the document's own `Access-Control-*` are left out. */
export function withCors(origin: string | null, headers: Fields): Fields {
  const fields: [string, string][] = [];
  const exposed = new Set<string>();
  let vary = "Origin, Accept, Prefer";
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (lower === "vary") vary += `, ${value}`;
    if (lower === "vary" || lower.startsWith("access-control-")) continue;
    fields.push([name, value]);
    if (!safelisted.has(lower)) exposed.add(name);
  }
  const known = origin !== null && isFieldValue(origin);
  fields.push(["Access-Control-Allow-Origin", known ? origin : "*"]);
  if (known) fields.push(["Access-Control-Allow-Credentials", "true"]);
  if (exposed.size > 0) fields.push(["Access-Control-Expose-Headers", [...exposed].join(", ")]);
  fields.push(["Vary", vary]);
  return fields;
}
