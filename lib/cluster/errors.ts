/**
 * What an answer of the API server means to the caller (design: errors of the API):
 * - `again`: 409, 429, 5xx, a timeout, no connection, 422 about owner references. The same call may go through later.
 * - `invalid`: 400 (a webhook's denial among them) and 422. What was sent is wrong; the user's matter.
 * - `terminating`: 403 because the namespace is being deleted, or 404 because it or the object to patch is gone. Nothing is left to do.
 * - `forbidden`: any other 401 or 403. The installation lacks a right.
 * - `unknown-kind`: 404 on an apply or a list. The cluster does not serve that kind.
 */
export type ErrorClass = "again" | "invalid" | "terminating" | "forbidden" | "unknown-kind";

/** An answer of the API server other than 2xx, or none at all. `message` says what was asked, where, and what came back, on one line. */
export class ClusterError extends Error {
  override readonly name = "ClusterError";
  readonly class: ErrorClass;
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  /** `reason` of the Kubernetes Status object (`Conflict`, `AlreadyExists`, `Invalid`, …), or "". */
  readonly reason: string;
  /** `message` of the Kubernetes Status object alone, without what was asked: fit for a condition. */
  readonly detail: string;

  constructor(failure: {
    asked: string;
    status: number;
    reason: string;
    detail: string;
    class: ErrorClass;
  }) {
    const detail = oneLine(failure.detail);
    super(`${failure.asked}: ${failure.status === 0 ? "no answer" : failure.status}: ${detail}`);
    this.class = failure.class;
    this.status = failure.status;
    this.reason = failure.reason;
    this.detail = detail;
  }

  /** True for 409 alone: somebody else wrote in between, or the precondition (uid, resourceVersion) does not hold. */
  get isConflict(): boolean {
    return this.status === 409;
  }
}

/**
 * Answers the class of a failed call. A `get` or `remove` of an absent object never becomes an error. Any other 404 names what is
 * absent (the object of a patch, the namespace of an apply) in its details; a path that no kind is served at is 404 without details.
 */
export function classify(status: number, answer: StatusAnswer): ErrorClass {
  if (status === 404) return answer.details?.name === undefined ? "unknown-kind" : "terminating";
  if (
    status === 403 &&
    answer.details?.causes?.some((cause) => cause.reason === "NamespaceTerminating")
  )
    return "terminating";
  if (status === 401 || status === 403) return "forbidden";
  if (
    status === 422 &&
    answer.details?.causes?.some((cause) => cause.field?.includes("ownerReferences"))
  )
    return "again";
  if (status === 400 || status === 413 || status === 415 || status === 422) return "invalid";
  return "again";
}

/** The parts of a Kubernetes `Status` object (meta/v1) that are read. */
export interface StatusAnswer {
  readonly reason?: string;
  readonly message?: string;
  readonly details?: {
    readonly name?: string;
    readonly causes?: readonly { reason?: string; message?: string; field?: string }[];
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, "; ").trim();
}
