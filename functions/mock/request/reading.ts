import type { RequestHeaders } from "../exchange.ts";
import type { Operation, Violation } from "../../../lib/compiled/compiled.ts";

/** A request as the wire had it, after its operation was found: nothing of it is decoded yet. */
export interface RequestInput {
  /** Raw path segments (or the parts of one) by parameter name, still percent-encoded. */
  readonly pathValues: Readonly<Record<string, string>>;
  /** What follows the `?`, still percent-encoded; our own `__` keys are taken out. */
  readonly rawQuery: string;
  /** By name in any case; several fields of a name joined by commas (`Headers` does it). */
  readonly headers: RequestHeaders;
  /** As received: a content coding is undone here. */
  readonly body: Uint8Array;
}

/** Why a body, or a value too complex to check, was not read to its end, as a problem. `headers` belong into its answer (`Accept`, `Accept-Encoding`). */
export interface RequestFailure {
  readonly code:
    | "malformed-body"
    | "unsupported-media-type"
    | "unsupported-encoding"
    | "body-too-large"
    | "too-complex";
  readonly detail: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a request says, and what is wrong with it. */
export interface RequestReading {
  /** Values after coercion, defaults for the absent, by `in/name` (`query/limit`); without those that are absent. */
  readonly parameters: ReadonlyMap<string, unknown>;
  /** The body, with the declared media type that it was read by, as written there; absent where none was sent or declared. */
  readonly body?: { readonly mediaType: string; readonly value: unknown };
  /** At most `maxViolations`, parameters before the body. */
  readonly violations: readonly Violation[];
  /** True where there were more. */
  readonly truncated: boolean;
  /** Present where something could not be read: it weighs more than the violations. */
  readonly failure?: RequestFailure;
}

/** Reads one request of an operation; never throws or rejects, whatever the bytes. */
export type RequestReader = (
  operation: Operation,
  input: RequestInput,
) => RequestReading | Promise<RequestReading>;

/** How many violations an answer lists. */
export const maxViolations = 100;
