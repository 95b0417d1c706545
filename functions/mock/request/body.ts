import type { Media, Operation, RequestBody, Violation } from "../../../lib/compiled/compiled.ts";
import { isFieldValue } from "../../../lib/field-value.ts";
import { maxBody } from "../exchange.ts";
import { formatOf, parseMediaType } from "../media-type.ts";
import type { Format, MediaType } from "../media-type.ts";
import { coerce } from "./coerce.ts";
import { readJson, readText } from "./content.ts";
import type { ContentReading } from "./content.ts";
import { matchContentType } from "./content-type.ts";
import type { Reading, RequestContext } from "./context.ts";
import { wait, type Waiting } from "../waiting.ts";
import type { RequestFailure, RequestInput, RequestReading } from "./reading.ts";

/** What a body may be encoded with (RFC 9110, section 12.5.3). */
const acceptedCodings = "gzip, deflate, br";

/** A body, what is wrong with it, or why it could not be read. */
export type BodyReading = Pick<RequestReading, "body" | "failure"> & {
  readonly violations: readonly Violation[];
};

/** A body whose media type is known. */
interface Typed {
  readonly key: string;
  readonly media: Media;
  readonly type: MediaType;
  readonly format: Format;
}

const nothing: BodyReading = { violations: [] };

/**
 * Reads a declared body: finds its media type, undoes its content codings, parses and checks it. Bodies of multipart, XML and types
 * that hold no structure we know are accepted unread. Never rejects, whatever the bytes.
 */
export function* readBody(
  body: RequestBody,
  input: RequestInput,
  context: RequestContext,
): Waiting<BodyReading> {
  if (body.content.length === 0) return nothing;
  const typed = typeOf(body, input, context);
  if (typed === undefined) return input.body.length === 0 ? absent(body) : unsupported(body, input);
  const bytes = yield* wait(plainBytes(input));
  if (!(bytes instanceof Uint8Array)) return bytes;
  if (bytes.length === 0 && (typed.format === "json" || typed.format === "xml"))
    return absent(body);
  const reading = context.reading(typed.media.schema);
  const content = yield* wait(readContent(typed, bytes, reading));
  if ("failure" in content) return failed(content.failure.code, content.failure.detail);
  const violations = content.value === undefined ? [] : (reading?.validate(content.value) ?? []);
  return {
    body: { mediaType: typed.key, value: content.value },
    violations: violations.map((violation) => ({ in: "body", name: "", ...violation })),
  };
}

/** Says whether the body of an operation counts: 3.0 has none for methods whose bodies mean nothing in HTTP. */
export function bodyCounts(version: string, { method }: Operation): boolean {
  return !version.startsWith("3.0") || !["GET", "HEAD", "DELETE"].includes(method);
}

/** Undefined where nothing fits, or where nothing was sent that has a type. */
function typeOf(
  body: RequestBody,
  input: RequestInput,
  context: RequestContext,
): Typed | undefined {
  const types = context.typesOf(body);
  const header = input.headers.get("content-type");
  if (header === null && input.body.length === 0) return undefined;
  const type = header === null ? types[0] : parseMediaType(header);
  if (type === undefined) return undefined;
  const entry = body.content[header === null ? 0 : matchContentType(type, types)];
  return entry && { key: entry[0], media: entry[1], type, format: formatOf(type) };
}

function absent(body: RequestBody): BodyReading {
  if (!body.required) return nothing;
  const message = "the request body is required";
  return { violations: [{ in: "body", name: "", pointer: "", message, keyword: "required" }] };
}

function unsupported(body: RequestBody, input: RequestInput): BodyReading {
  const keys = body.content.map(([key]) => key);
  const accept = keys.filter((key) => isFieldValue(key)).join(", ");
  const sent = input.headers.get("content-type") ?? "of no media type";
  const detail = `The body is ${sent}; send ${accept === "" ? "none" : accept}`;
  return failed("unsupported-media-type", detail, { Accept: accept });
}

/** Answers the bytes without their content codings. */
function plainBytes({
  body,
  headers,
}: RequestInput): Uint8Array | BodyReading | Promise<Uint8Array | BodyReading> {
  if (body.length > maxBody) return tooLarge();
  const codings = headers.get("content-encoding");
  return codings === null || body.length === 0 ? body : decodedBytes(body, codings);
}

async function decodedBytes(body: Uint8Array, codings: string): Promise<Uint8Array | BodyReading> {
  const { undoCodings } = await import("./coding.ts");
  const bytes = await undoCodings(body, codings, maxBody);
  if (bytes instanceof Uint8Array) return bytes;
  if (bytes === "too large") return tooLarge();
  if (bytes === "malformed")
    return failed("malformed-body", `The body is not what Content-Encoding says: ${codings}`);
  const detail = `The body is encoded as ${codings}; send it plain or as ${acceptedCodings}`;
  return failed("unsupported-encoding", detail, { "Accept-Encoding": acceptedCodings });
}

/** Undefined as value: a type that is accepted unread. */
function readContent(
  { format, media, type }: Typed,
  bytes: Uint8Array,
  reading: Reading | undefined,
): ContentReading | Promise<ContentReading> {
  if (format === "json") return readJson(bytes);
  const charset = type.parameters.get("charset");
  if (format === "text") return { value: coerce(readText(bytes, charset), reading?.tree) };
  if (format !== "form") return { value: undefined };
  return import("./form.ts").then(({ readForm }) =>
    readForm(readText(bytes, charset), media.encoding ?? {}, reading?.tree),
  );
}

function tooLarge(): BodyReading {
  return failed("body-too-large", `The body is larger than ${maxBody / 1024 / 1024} MB; send less`);
}

function failed(
  code: RequestFailure["code"],
  detail: string,
  headers: RequestFailure["headers"] = {},
): BodyReading {
  return { failure: { code, detail, headers }, violations: [] };
}
