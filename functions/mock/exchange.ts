/** A request as plain data: what every step of the mock sees. */
export interface MockRequest {
  /** As sent: methods are case-sensitive (RFC 9110, section 9.1). */
  readonly method: string;
  /** The request target as it stood in the request line (RFC 9112, section 3.2): nothing decoded, no dot segment removed. */
  readonly target: string;
  /** By name in any case; several fields of a name are one, joined by commas. The web's `Headers` is one. */
  readonly headers: RequestHeaders;
  /** Reads the body once, as received; undefined where it is larger than `maxBody`. Never rejects. */
  readonly body: () => Uint8Array | undefined | Promise<Uint8Array | undefined>;
}

/** Looks up a header field. */
export interface RequestHeaders {
  get(name: string): string | null;
}

/** Header fields in order; a name may occur twice. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** An answer as plain data. `body` is null where there is none (then there is no Content-Type either). */
export interface Answer {
  readonly status: number;
  readonly headers: Fields;
  readonly body: string | null;
}

/** Answers JSON text of a value as an answer. */
export function jsonAnswer(value: unknown): Answer {
  return textAnswer("application/json", JSON.stringify(value, undefined, 2));
}

/** Answers a text of a media type as an answer. */
export function textAnswer(type: string, body: string): Answer {
  return { status: 200, headers: [["Content-Type", type]], body };
}

/** How many bytes of a body are read, as received and after decoding. */
export const maxBody = 10 * 1024 * 1024;

/** Answers whether a text is a token (RFC 9110, section 5.6.2): a field name, a method. */
export function isToken(text: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(text);
}
