import type { Answer } from "./exchange.ts";

/**
 * Answers the web's response for an answer; the only place that makes one. HEAD gets the fields and no body. A connection with more
 * to come than was waited for is closed.
 */
export function toResponse(
  method: string,
  { status, headers, body }: Answer,
  drained: boolean,
): Response {
  const fields: [string, string][] = headers.map(([name, value]) => [name, value]);
  if (!drained) fields.push(["Connection", "close"]);
  if (method === "HEAD" && body !== null) {
    fields.push(["Content-Length", String(Buffer.byteLength(body))]);
  }
  return new Response(method === "HEAD" ? null : body, { status, headers: plain(fields) });
}

/** An object costs the server less than a list, which only repeated fields (cookies) need. */
function plain(fields: [string, string][]): Record<string, string> | [string, string][] {
  const names = new Set(fields.map(([name]) => name.toLowerCase()));
  return names.size === fields.length ? Object.fromEntries(fields) : fields;
}
