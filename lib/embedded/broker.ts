import type { Event } from "../cloudevent.ts";

/** What a broker is made of. `deliver` posts the event to the subscriber and rejects where there was no answer. */
export interface BrokerParts {
  /** URL of the subscriber, as dead letters name it. */
  readonly subscriber: string;
  readonly deliver: (event: Event) => Promise<Response>;
  /** Retries after the first attempt (`spec.delivery.retry`). */
  readonly retry?: number;
  /** Milliseconds of the first wait; it doubles each time (`backoffDelay` PT0.5S, `backoffPolicy` exponential). */
  readonly backoffDelay?: number;
  readonly now: () => Date;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Takes what was given up, with the attributes that a dead letter carries. */
  readonly deadLetter?: (event: Event) => void;
}

/** How many events came to which end. */
export interface BrokerCounts {
  readonly delivered: number;
  readonly retries: number;
  readonly deadLetters: number;
}

/** A running stand-in for a Broker with one Trigger that filters nothing. */
export interface Broker {
  /** Takes an event and answers 202 at once; delivery comes later, beside others, in no order. */
  publish(event: Event): number;
  /** Resolves when no delivery is under way. */
  settled(): Promise<void>;
  counts(): BrokerCounts;
}

/**
 * Answers a stand-in for Knative's channel-based Broker with the installation's delivery (retry 5, exponential, PT0.5S): it retries
 * what SelectiveRetry does (no answer, 404, 408, 409, 429, 5xx; knative/eventing pkg/kncloudevents/retries.go), and a 2xx whose body is no
 * CloudEvent (pkg/broker/filter). Like the in-memory channel it bounds nothing and keeps no order. A CloudEvent in the answer is
 * taken as success and not published again; the delivery's timeout is the subscriber's matter here.
 */
export function createBroker(parts: BrokerParts): Broker {
  const { retry = 5, backoffDelay = 500 } = parts;
  const counts = { delivered: 0, retries: 0, deadLetters: 0 };
  const deliveries = new Set<Promise<void>>();

  async function deliver(event: Event): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      const failure = await attemptOf(event);
      if (failure === undefined) {
        counts.delivered += 1;
        return;
      }
      if (!isRetried(failure.status) || attempt === retry) {
        counts.deadLetters += 1;
        parts.deadLetter?.(deadLetterOf(event, failure, parts.subscriber));
        return;
      }
      await parts.sleep(backoffDelay * 2 ** attempt);
      counts.retries += 1;
    }
  }

  async function attemptOf(event: Event): Promise<Failure | undefined> {
    const response = await parts.deliver(event).catch(() => undefined);
    if (response === undefined) return { status: 0, body: "" };
    const body = await response.text().catch(() => "");
    if (!response.ok) return { status: response.status, body };
    return body === "" || isCloudEvent(response.headers) ? undefined : { status: 502, body };
  }

  return {
    publish(event) {
      const arrived = { ...event, knativearrivaltime: parts.now().toISOString() };
      // A sleep that was aborted ends the delivery: the broker is being stopped.
      const delivery = deliver(arrived)
        .catch(() => {})
        .finally(() => deliveries.delete(delivery));
      deliveries.add(delivery);
      return 202;
    },
    async settled() {
      while (deliveries.size > 0) await Promise.all(deliveries);
    },
    counts: () => ({ ...counts }),
  };
}

interface Failure {
  /** 0 where there was no answer. */
  readonly status: number;
  readonly body: string;
}

function isRetried(status: number): boolean {
  return status === 0 || status >= 500 || [404, 408, 409, 429].includes(status);
}

function isCloudEvent(headers: Headers): boolean {
  return (
    headers.has("ce-specversion") ||
    (headers.get("content-type") ?? "").startsWith("application/cloudevents")
  );
}

/** The extensions that a dead letter gains; the answer's body as base64 of at most 1,024 characters. */
function deadLetterOf(event: Event, { status, body }: Failure, subscriber: string): Event {
  const bytes = new TextEncoder().encode(body).subarray(0, 768);
  const data = btoa(String.fromCodePoint(...bytes));
  return {
    ...event,
    knativeerrordest: subscriber,
    knativeerrorcode: String(status),
    knativeerrordata: data,
  };
}
