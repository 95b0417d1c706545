import { ClusterError, type ErrorClass } from "../../lib/cluster/errors.ts";
import type { Judgement, Reason } from "./conditions.ts";
import { messageOf } from "./conditions.ts";

/** Why a child is not as desired. Failures are collected, so that one bad child does not block the rest. */
export interface Failure {
  /** The child as people write it: `KService bets`. */
  readonly child: string;
  readonly class: ErrorClass | "taken" | "conflict";
  readonly detail: string;
}

/** Answers the failure that the error is; anything but an answer of the API server is thrown on. */
export function failureOf(child: string, error: unknown): Failure {
  if (!(error instanceof ClusterError)) throw error;
  return { child, class: error.isConflict ? "conflict" : error.class, detail: error.detail };
}

const reasonOf: Readonly<Partial<Record<Failure["class"], Reason>>> = {
  taken: "NameTaken",
  invalid: "ChildRefused",
  forbidden: "Forbidden",
  "unknown-kind": "KnativeMissing",
};

const remedies: Readonly<Partial<Record<Failure["class"], string>>> = {
  "unknown-kind": "install Knative Serving",
};

/** Answers what the first lasting failure means for the roll-out, or undefined where there is none. A passing one is never shown. */
export function judgementOn(failures: readonly Failure[]): Judgement | undefined {
  for (const { child, class: kind, detail } of failures) {
    const reason = reasonOf[kind];
    if (reason === undefined) continue;
    const remedy = remedies[kind] ?? detail;
    return { status: "False", reason, message: messageOf(`${child}: ${remedy}`) };
  }
  return undefined;
}
