import type { Compiled, Media, Operation, Parameter, Style } from "../../lib/compiled/compiled.ts";
import { makeBody } from "../../lib/schema/generate.ts";
import { createValidators } from "../../lib/schema/validator.ts";
import { misfits } from "./second-validator.ts";

/** One request that an operation says it takes. */
export interface SampleRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** False where the definition contradicts itself, so that no such request can be right. */
  readonly fits: boolean;
}

/** How one value is written. */
interface Written {
  readonly name: string;
  readonly style: Style;
  readonly explode: boolean;
  readonly encode: (text: string) => string;
}

type Make = (media: Pick<Media, "schema" | "examples">) => unknown;

/**
 * Answers a function that makes a request of each operation: with every parameter, a body and credentials, from the document's own
 * examples, else from its schemas. What a second validator would not accept, because the document contradicts itself, makes it no fit.
 */
export function sampleRequests(compiled: Compiled): (operation: Operation) => SampleRequest {
  const validators = createValidators(compiled.schemas);
  return (operation) => {
    let fits = true;
    const make: Make = ({ schema, examples }) => {
      const [example] = examples;
      const own = example !== undefined && "value" in example[1] ? example[1].value : undefined;
      if (schema === undefined) return own ?? "text";
      const validate = validators.request(schema);
      const value = own ?? makeBody(compiled.schemas, schema, { direction: "request", validate })?.value; // oxfmt-ignore
      if (value === undefined || misfits(compiled, schema, value, "request").length > 0)
        fits = false;
      return value;
    };
    const request = makeRequest(compiled, operation, make);
    return { ...request, fits };
  };
}

function makeRequest(
  compiled: Compiled,
  operation: Operation,
  make: Make,
): Omit<SampleRequest, "fits"> {
  let path = operation.path;
  const query: string[] = [];
  const cookies: string[] = [];
  const headers: Record<string, string> = {};
  for (const parameter of operation.parameters) {
    const text = parameterText(parameter, make);
    if (text === undefined) continue;
    if (parameter.in === "path") path = path.replaceAll(`{${parameter.name}}`, text);
    if (parameter.in === "query" && text !== "") query.push(text);
    if (parameter.in === "header") headers[parameter.name] = text;
    if (parameter.in === "cookie") cookies.push(text);
  }
  addCredentials(compiled, operation, { headers, query, cookies });
  if (cookies.length > 0) headers["Cookie"] = cookies.join("; ");
  const body = operation.body === undefined ? undefined : bodyText(operation.body.content, make);
  if (body !== undefined) headers["Content-Type"] = body.type;
  const target = query.length === 0 ? path : `${path}?${query.join("&")}`;
  return { method: operation.method, target, headers, ...(body && { body: body.text }) };
}

/** Where credentials are put. */
interface Places {
  readonly headers: Record<string, string>;
  readonly query: string[];
  readonly cookies: string[];
}

function addCredentials(compiled: Compiled, operation: Operation, places: Places): void {
  for (const [name] of operation.security[0] ?? []) {
    const scheme = compiled.securitySchemes[name];
    if (scheme === undefined || scheme.type === "mutualTLS") continue;
    if (scheme.type !== "apiKey") {
      const kind = scheme.type === "http" ? scheme.scheme : "bearer";
      places.headers["Authorization"] = `${kind} ${kind === "basic" ? "dTpw" : "token"}`;
    } else if (scheme.in === "header") places.headers[scheme.name] = "key";
    else {
      const pair = `${encodeURIComponent(scheme.name)}=key`;
      (scheme.in === "query" ? places.query : places.cookies).push(pair);
    }
  }
}

function parameterText(parameter: Parameter, make: Make): string | undefined {
  const { name, in: place, style, explode, content, examples } = parameter;
  const encode = place === "header" ? (text: string) => text : encodeURIComponent;
  const value = content === undefined ? make({ ...parameter, examples }) : make(content[1]);
  if (value === undefined) return undefined;
  if (content === undefined) return write({ name, style, explode, encode }, value);
  const text = encode(typeof value === "string" ? value : JSON.stringify(value));
  return place === "query" || place === "cookie" ? `${encodeURIComponent(name)}=${text}` : text;
}

function bodyText(
  content: readonly (readonly [string, Media])[],
  make: Make,
): { type: string; text: string } | undefined {
  const [first] = content;
  if (first === undefined) return undefined;
  const [key, media] = first;
  const value = make(media);
  if (value === undefined) return undefined;
  const type = key.includes("*") ? "application/json" : key;
  if (/json/.test(type)) return { type, text: isJsonText(value) ? value : JSON.stringify(value) };
  if (type.startsWith("multipart/")) return { type: `${type}; boundary=b`, text: "--b--\r\n" };
  if (/x-www-form-urlencoded/.test(type)) return { type, text: formText(media, value) };
  return { type, text: typeof value === "string" ? value : JSON.stringify(value) };
}

/** Some documents write the example of a structure as a text. */
function isJsonText(value: unknown): value is string {
  return typeof value === "string" && /^\s*[{[]/.test(value);
}

function formText({ encoding = {} }: Media, value: unknown): string {
  const parts = Object.entries(value ?? {}).map(([name, member]: [string, unknown]) => {
    const { style = "form", explode = style === "form" } = encoding[name] ?? {};
    const plain =
      typeof member === "object" && !Array.isArray(member) && encoding[name] === undefined;
    const written = plain ? JSON.stringify(member) : member;
    return write({ name, style, explode, encode: encodeURIComponent }, written);
  });
  return parts.filter((part) => part !== "").join("&");
}

const separators: Partial<Record<Style, string>> = {
  spaceDelimited: "%20",
  pipeDelimited: "|",
  tabDelimited: "%09",
};

/** Writes a value in a style (OpenAPI 3.1.1, "Style Examples"). */
export function write(written: Written, value: unknown): string {
  const { name, style, explode, encode } = written;
  const key = encode(name);
  const text = (item: unknown): string =>
    encode(item === null ? "" : typeof item === "string" ? item : JSON.stringify(item));
  const isForm = !["simple", "label", "matrix"].includes(style);
  if (typeof value !== "object" || value === null) {
    if (style === "label") return `.${text(value)}`;
    if (style === "matrix") return `;${key}=${text(value)}`;
    return isForm ? `${key}=${text(value)}` : text(value);
  }
  if (style === "deepObject") return deepText(key, value, encode);
  const isList = Array.isArray(value);
  const joined = isList
    ? value.map(text)
    : Object.entries(value).flatMap(([k, item]) =>
        explode ? [`${encode(k)}=${text(item)}`] : [encode(k), text(item)],
      );
  const named = isList ? joined.map((item) => `${key}=${item}`) : joined;
  if (style === "label") return `.${joined.join(explode ? "." : ",")}`;
  if (style === "matrix") return explode ? `;${named.join(";")}` : `;${key}=${joined.join(",")}`;
  if (style === "simple") return joined.join(",");
  return explode ? named.join("&") : `${key}=${joined.join(separators[style] ?? ",")}`;
}

function deepText(key: string, value: object, encode: (text: string) => string): string {
  const entries: [string, unknown][] = Object.entries(value);
  const parts = entries.map(([name, member]) => {
    const path = `${key}[${encode(name)}]`;
    if (typeof member === "object" && member !== null) return deepText(path, member, encode);
    return `${path}=${encode(String(member))}`;
  });
  return parts.join("&");
}
