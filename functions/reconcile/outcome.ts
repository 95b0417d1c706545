/**
 * What a reconcile ended with.
 * - `done`: the world is as desired, or what is wrong is the user's and stands in the status, or the key is not ours.
 * - `retry`: something passing was in the way; the same key should come again.
 */
export type Outcome =
  | { readonly kind: "done"; readonly wrote: readonly string[] }
  | { readonly kind: "retry"; readonly why: string; readonly wrote: readonly string[] };

/** Seconds after which a sender may try again. */
const retryAfter = 5;

/**
 * Answers the HTTP status and headers of an outcome; the only place that knows about redelivery.
 * 204 has no body on purpose (a Broker retries a 2xx whose body is no CloudEvent); 503 and never 500
 * (an ApiServerSource does not retry a 500: knative/eventing pkg/kncloudevents).
 */
export function answerOf(outcome: Outcome): { status: 204 | 503; headers: Record<string, string> } {
  if (outcome.kind === "done") return { status: 204, headers: {} };
  return { status: 503, headers: { "Retry-After": String(retryAfter) } };
}
