import type { RecordedRequest } from "./sink.ts";

/** When recordings begin, whenever they were made. */
const epoch = Date.parse("2026-11-30T09:00:00Z");

/** What a recording would tell about the cluster that it was made on. */
interface Told {
  /** The namespace that the objects lived in; in the recording it is `default`. */
  readonly namespace: string;
  /** Milliseconds since the epoch, when the recording began: times within an hour of it are its own. */
  readonly began: number;
}

/**
 * Answers the texts without what only the one cluster has: uids, resourceVersions, trace ids, times, hosts and the image are replaced, each by the same
 * thing everywhere and in the same order, so that all that can be concluded from a recording still can.
 */
export function anonymiser(
  texts: readonly string[],
  { namespace, began }: Told,
): (text: string) => string {
  const all = texts.join("\n");
  const uids = ranks(all.match(uid) ?? []);
  const versions = ranks(
    [...all.matchAll(version)].map(([, , number = ""]) => number),
    (one, other) => Number(one) - Number(other),
  );
  const hour = 3_600_000;
  return (text) =>
    text
      .replaceAll(namespace, "default")
      .replace(uid, (found) => `6f1a2c40-0000-4000-8000-${padded(uids.get(found), 12)}`)
      .replace(
        version,
        (_, before: string, found: string) => `${before}${versions.get(found) ?? 0}`,
      )
      .replace(trace, (_, before: string) => `${before}00-${"1".repeat(32)}-${"1".repeat(16)}-00`)
      .replace(time, (found) => {
        const since = Date.parse(found) - began;
        return Math.abs(since) > hour ? found : moved(found, epoch + since);
      })
      .replaceAll(/localhost:5000\/apirator\/apirator(@sha256:[0-9a-f]{64}|:[\w.-]+)/g, image)
      .replaceAll(/10\.250\.0\.2:\d+/g, "sink.example");
}

const image = `registry.example/apirator@sha256:${"a".repeat(64)}`;
const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const version = /("resourceVersion":\s*\\?"|resourceVersion: ")(\d+)/g;
const trace = /("traceparent":\s*")[^"]+/gi;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/** Answers the request without its own length and with the anonymised texts. */
export function anonymised(
  { headers, body }: RecordedRequest,
  replace: (text: string) => string,
): RecordedRequest {
  const text = replace(body);
  const named = JSON.parse(replace(JSON.stringify(headers))) as Record<string, string>;
  const length = String(Buffer.byteLength(text));
  const lengths = Object.keys(named).filter((name) => name.toLowerCase() === "content-length");
  return {
    headers: { ...named, ...Object.fromEntries(lengths.map((name) => [name, length])) },
    body: text,
  };
}

/** Each text's place in their order, from 1; in the order of their first appearance where none is given. */
function ranks(
  texts: readonly string[],
  order?: (one: string, other: string) => number,
): Map<string, number> {
  const unique = [...new Set(texts)];
  const sorted = order === undefined ? unique : unique.toSorted(order);
  return new Map(sorted.map((text, index) => [text, index + 1]));
}

function padded(rank: number | undefined, digits: number): string {
  return String(rank ?? 0).padStart(digits, "0");
}

/** The instant in the form that the text has: with as many digits of a second. */
function moved(text: string, instant: number): string {
  const digits = /\.(\d+)Z$/.exec(text)?.[1]?.length ?? 0;
  const whole = new Date(instant).toISOString();
  const fraction = whole.slice(20, 23).padEnd(digits, "0").slice(0, digits);
  return `${whole.slice(0, 19)}${digits === 0 ? "" : `.${fraction}`}Z`;
}
