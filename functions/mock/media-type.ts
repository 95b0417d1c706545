/** A media type or range (RFC 9110, section 8.3.1). Names in lower case. */
export interface MediaType {
  readonly type: string;
  readonly subtype: string;
  /** `q` among them, where an `Accept` field has it. Names in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

const noParameters: ReadonlyMap<string, string> = new Map();
const essence = /^\s*([\w!#$%&'*+.^`|~-]+)\/([\w!#$%&'*+.^`|~-]+)\s*(?:;|$)/;
const parameter = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g;

/** What is taken for a media type that is none. */
export const jsonType: MediaType = {
  type: "application",
  subtype: "json",
  parameters: noParameters,
};

/** Answers a media type, or undefined where a text is none (`json`). */
export function parseMediaType(text: string): MediaType | undefined {
  const found = essence.exec(text);
  if (found === null) return undefined;
  const [, type = "", subtype = ""] = found;
  const names = { type: type.toLowerCase(), subtype: subtype.toLowerCase() };
  if (!text.includes(";")) return { ...names, parameters: noParameters };
  const parameters = new Map<string, string>();
  for (const [, name = "", quoted, bare] of text.matchAll(parameter)) {
    const key = name.toLowerCase();
    if (!parameters.has(key)) parameters.set(key, quoted?.replaceAll(/\\(.)/g, "$1") ?? bare ?? "");
  }
  return { ...names, parameters };
}

/** Answers whether a key of `content` stands for several media types. */
export function isRange({ type, subtype }: MediaType): boolean {
  return type === "*" || subtype === "*";
}

/** How a value becomes bytes. */
export type Format = "json" | "xml" | "yaml" | "form" | "events" | "json-lines" | "json-sequence" | "text" | "bytes"; // oxfmt-ignore

/** Answers the format of a media type, by its name or its structured suffix (RFC 6839). */
export function formatOf({ type, subtype }: Pick<MediaType, "type" | "subtype">): Format {
  if (subtype === "json" || subtype.endsWith("+json")) return "json";
  if (subtype === "xml" || subtype.endsWith("+xml")) return "xml";
  if (/^(?:x-)?yaml$|\+yaml$/.test(subtype)) return "yaml";
  if (subtype === "x-www-form-urlencoded") return "form";
  if (subtype === "event-stream") return "events";
  if (/^(?:x-)?(?:jsonl|json-lines|jsonlines|ndjson)$/.test(subtype)) return "json-lines";
  if (subtype === "json-seq" || subtype.endsWith("+json-seq")) return "json-sequence";
  return type === "text" ? "text" : "bytes";
}
