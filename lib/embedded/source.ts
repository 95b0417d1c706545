import type { MemoryCluster } from "./memory.ts";
import type { Event } from "../cloudevent.ts";
import type { WatchEvent } from "./watch.ts";

/** The parts of a meta/v1 LabelSelector that the operator's source uses. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: "Exists";
  }[];
}

/** One entry of `spec.resources` of an ApiServerSource (sources.knative.dev/v1): one watch, one sender. */
export interface WatchedResource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly selector?: LabelSelector;
}

/** What a source is made of. `send` answers the HTTP status of its sink and rejects where there was no answer. */
export interface SourceParts {
  readonly watch: MemoryCluster["watch"];
  readonly mode: "Reference" | "Resource";
  readonly resources: readonly WatchedResource[];
  /** `rest.Config.Host`: the address of the API server, the `source` of every event. */
  readonly host: string;
  readonly id: () => string;
  readonly now: () => Date;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly send: (event: Event) => Promise<number>;
}

/** A running stand-in for an ApiServerSource. */
export interface Source {
  /** Resolves when nothing is being sent or waits to be. */
  settled(): Promise<void>;
  /** Events that were given up: real ones are then lost until the resync. */
  dropped(): number;
  /** Ends the watches; what is being sent goes on. */
  stop(): void;
}

/** Statuses that a source sends again after (cloudevents/sdk-go v2 protocol/http); 500 is not among them. */
const retried = new Set([404, 413, 425, 429, 502, 503, 504]);

const waits = [100, 200, 400, 800, 1600];

/**
 * Answers a stand-in for Knative's ApiServerSource: the same events, one at a time and in order per resource, sent again after
 * the same statuses and the same waits, then dropped. Like the real one it replays nothing at its start and never resyncs.
 */
export function createSource(parts: SourceParts): Source {
  let dropped = 0;

  async function send(event: Event): Promise<void> {
    for (const wait of [...waits, undefined]) {
      const status = await parts.send(event).catch(() => 502);
      if (status >= 200 && status < 300) return;
      if (!retried.has(status) || wait === undefined) break;
      await parts.sleep(wait);
    }
    dropped += 1;
  }

  const reflectors = parts.resources.map(({ apiVersion, kind, selector }) => {
    const reflector = { sending: Promise.resolve(), stop: () => {} };
    reflector.stop = parts.watch(
      (change) => {
        reflector.sending = reflector.sending.then(() =>
          send(eventOf(change, parts)).catch(() => {
            dropped += 1;
          }),
        );
      },
      {
        kind: { apiVersion, kind, plural: guessedPlural(kind) },
        labelSelector: selectorText(selector ?? {}),
      },
    );
    return reflector;
  });

  return {
    async settled() {
      for (;;) {
        const before = reflectors.map((reflector) => reflector.sending);
        await Promise.all(before);
        if (reflectors.every((reflector, index) => reflector.sending === before[index])) return;
      }
    },
    dropped: () => dropped,
    stop: () => {
      for (const reflector of reflectors) reflector.stop();
    },
  };
}

/** Answers the selector in the syntax of a `labelSelector` query. */
function selectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  return [
    ...Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`),
    ...matchExpressions.map(({ key }) => key),
  ].join(",");
}

const verbs = { ADDED: "add", MODIFIED: "update", DELETED: "delete" } as const;

/**
 * Answers the event that an ApiServerSource sends for a change (knative/eventing pkg/adapter/apiserver/events): in Reference mode
 * only kind, namespace, name and apiVersion; in Resource mode the whole object. `subject` begins with `/apis` also for core kinds.
 */
function eventOf(
  { type, object }: Pick<WatchEvent, "type" | "object">,
  { mode, host, id, now }: Pick<SourceParts, "mode" | "host" | "id" | "now">,
): Event {
  const { apiVersion, kind } = object;
  const { namespace, name } = object.metadata;
  return {
    specversion: "1.0",
    id: id(),
    source: host,
    type: `dev.knative.apiserver.${mode === "Reference" ? "ref" : "resource"}.${verbs[type]}`,
    subject: `/apis/${apiVersion}/namespaces/${namespace}/${guessedPlural(kind)}/${name}`,
    time: now().toISOString(),
    datacontenttype: "application/json",
    apiversion: apiVersion,
    kind,
    name,
    namespace,
    data: mode === "Reference" ? { kind, namespace, name, apiVersion } : object,
  };
}

/** The source guesses plurals (`meta.UnsafeGuessKindToResource`) and asks no server. */
function guessedPlural(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular.endsWith("s")) return `${singular}es`;
  if (singular.endsWith("y")) return `${singular.slice(0, -1)}ies`;
  return `${singular}s`;
}
