import type { Event } from "../cloudevent.ts";

/**
 * Answers the POST that carries the event in binary content mode (CloudEvents HTTP binding, section 3.1). Attributes become
 * `ce-*` headers, percent-encoded outside printable ASCII (section 3.1.3.2), so that no recorded event is unsendable.
 */
export function requestOf(event: Event, url: string): Request {
  const { data, data_base64: base64, datacontenttype = "application/json", ...attributes } = event;
  const headers = new Headers({ "Content-Type": encoded(datacontenttype) });
  for (const [name, value] of Object.entries(attributes)) {
    const isAttribute =
      /^[a-z0-9]+$/.test(name) && ["string", "number", "boolean"].includes(typeof value);
    if (isAttribute) headers.set(`ce-${name}`, encoded(String(value)));
  }
  return new Request(url, { method: "POST", headers, body: bodyOf(data, base64) });
}

function bodyOf(
  data: unknown,
  base64: string | undefined,
): string | Uint8Array<ArrayBuffer> | null {
  if (base64 !== undefined) {
    return Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);
  }
  if (data === undefined) return null;
  return typeof data === "string" ? data : JSON.stringify(data);
}

function encoded(value: string): string {
  return value
    .toWellFormed()
    .replaceAll(/[^\x20-\x7e]|["%]/gu, (character) => encodeURIComponent(character));
}
