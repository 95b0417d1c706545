import type { Answer, Fields } from "./exchange.ts";

/** Statuses that say by themselves that there is no content (RFC 9110, section 8.6). */
const silent: ReadonlySet<number> = new Set([204, 304]);

/**
 * Answers the web's response for an answer; the only place that makes one. HEAD gets the fields and no body. A connection with more
 * to come than was waited for is closed.
 */
export function toResponse(method: string, answer: Answer, drained: boolean): Response {
  const { status, body } = answer;
  const bodiless = method === "HEAD";
  const more: [string, string][] = [];
  if (!drained) more.push(["Connection", "close"]);
  if (bodiless && body !== null) more.push(["Content-Length", String(Buffer.byteLength(body))]);
  // Without a length the server would send an empty chunk instead.
  if (body === null && !silent.has(status)) more.push(["Content-Length", "0"]);
  const fields = more.length === 0 ? answer.headers : [...answer.headers, ...more];
  return new Response(bodiless ? null : body, { status, headers: headersOf(fields) });
}

/** An object costs the server less than a list, which only repeated fields (cookies) need. */
function headersOf(fields: Fields): Record<string, string> | [string, string][] {
  const headers: Record<string, string> = {};
  for (const [name, value] of fields) {
    const list = name === "__proto__" || Object.hasOwn(headers, name);
    if (list) return fields.map(([one, other]) => [one, other]);
    headers[name] = value;
  }
  return headers;
}
