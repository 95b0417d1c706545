import { CloudEvent, type CloudEventV1, HTTP } from "cloudevents";
import type { Key } from "./names.ts";
import { definitionLabel, mockOfConfigMap } from "./names.ts";

/** Type of the events that the resync sends. */
const resyncType = "io.apirator.apimock.resync";

/** A CloudEvent (specification 1.0.2). Extensions are further members. */
export type Event = CloudEventV1<unknown>;

/** A request as a receiver holds it. Header names in any case. */
export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a request is: an event, or why it is none (one line, fit for a problem's detail). */
export type Reading =
  | { readonly kind: "event"; readonly event: Event }
  | { readonly kind: "none"; readonly why: string };

/** What an event speaks of: a mock, or a ConfigMap that may be the definition of several. */
export type Subject = ({ readonly kind: "mock" } & Key) | ({ readonly kind: "definition" } & Key);

/**
 * Answers the event in a request, in binary or structured mode (HTTP protocol binding 1.0.2). Never throws. A batch is none: nobody who sends here
 * sends one. Evens out the SDK: media types in any case and with parameters, whitespace before the data, attributes that it would make up.
 */
export function eventOf({ headers, body }: Message): Reading {
  const given = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const mediaType = (given["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (mediaType === "application/cloudevents-batch+json")
    return none("a batch of events; send one event a request");
  try {
    if (mediaType === "application/cloudevents+json") return structured(body);
    if (given["ce-specversion"] !== undefined) return binary(given, mediaType, body);
  } catch (error) {
    return none(String(error instanceof Error ? error.message : error).split("\n")[0] ?? "");
  }
  return none(
    "neither ce-specversion in the headers nor content type application/cloudevents+json",
  );
}

/**
 * Answers what the event speaks of, or undefined where it is none of ours. Its type decides nothing: an event is a hint. Understood are
 * `dev.knative.apiserver.ref.*`, `dev.knative.apiserver.resource.*` and the resync's own. An owner that the event carries counts more than a name.
 */
export function keyOf(event: Event): Subject | undefined {
  if (event.type === resyncType) return mock(objectOf(event));
  if (!/^dev\.knative\.apiserver\.(ref|resource)\.(add|update|delete)$/.test(event.type))
    return undefined;
  const object = objectOf(event);
  const owned = object.owner === undefined ? undefined : mock({ ...object, name: object.owner });
  if (owned !== undefined) return owned;
  const kind = `${object.apiVersion.split("/")[0]}/${object.kind}`;
  if (kind === "v1/ConfigMap") return configMap(object);
  return named.has(kind) ? mock(object) : undefined;
}

/** Answers the request that sends the event, in binary mode. */
export function toRequest(event: Event): Message {
  const { headers, body } = HTTP.binary(event);
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { headers: Object.fromEntries(texts) as Record<string, string>, body: String(body) };
}

/** Answers the event by which the resync asks for a mock. `id` is unique, `time` is RFC 3339. */
export function resyncEvent(key: Key, at: { id: string; time: string }): Event {
  const { namespace, name } = key;
  const apiVersion = "apirator.io/v1alpha1";
  return new CloudEvent({
    type: resyncType,
    source: "/apirator/resync",
    subject: `/apis/${apiVersion}/namespaces/${namespace}/apimocks/${name}`,
    ...at,
    apiversion: apiVersion,
    kind: "APIMock",
    namespace,
    name,
    datacontenttype: "application/json",
    data: { apiVersion, kind: "APIMock", namespace, name },
  });
}

/** Kinds whose objects have the mock's own name, by API group and kind. */
const named = new Set([
  "apirator.io/APIMock",
  "serving.knative.dev/Service",
  "apps/Deployment",
  "v1/Service",
  "networking.k8s.io/Ingress",
]);

const required = ["id", "source", "specversion", "type"] as const;

function structured(body: string): Reading {
  const given: unknown = JSON.parse(body);
  if (!isMap(given)) return none("the body is no JSON object");
  const lacking = required.filter((name) => typeof given[name] !== "string" || given[name] === "");
  if (lacking.length > 0) return none(`the event lacks ${lacking.join(", ")}`);
  return valid(
    HTTP.toEvent({
      headers: { "content-type": "application/cloudevents+json" },
      body: body.trim(),
    }),
  );
}

function binary(given: Readonly<Record<string, string>>, mediaType: string, body: string): Reading {
  const lacking = required.filter((name) => !given[`ce-${name}`]);
  if (lacking.length > 0)
    return none(`the headers lack ${lacking.map((name) => `ce-${name}`).join(", ")}`);
  const { "ce-datacontenttype": _, ...headers } = given;
  const isJson = /^application\/(.+\+)?json$/.test(mediaType);
  const type = isJson ? "application/json" : mediaType;
  return valid(HTTP.toEvent({ headers: { ...headers, "content-type": type }, body: body.trim() }));
}

function valid(event: Event | Event[]): Reading {
  if (Array.isArray(event)) return none("a batch of events; send one event a request");
  if (event.specversion !== "1.0")
    return none(`specversion ${event.specversion}; 1.0 is understood`);
  // The SDK answers a class, whatever its type says.
  (event as CloudEvent<unknown>).validate();
  return { kind: "event", event };
}

interface Named {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Name of the mock that controls it, where the event carries the object. */
  readonly owner?: string;
  readonly shared: boolean;
}

/** What the event names: extensions first, then the data, which is a reference or the object itself. */
function objectOf(event: Event): Named {
  const data = isMap(event.data) ? event.data : {};
  const metadata = isMap(data["metadata"]) ? data["metadata"] : data;
  const text = (extension: string, value: unknown): string => {
    const given = event[extension];
    if (typeof given === "string" && given !== "") return given;
    return typeof value === "string" ? value : "";
  };
  const owners = Array.isArray(metadata["ownerReferences"]) ? metadata["ownerReferences"] : [];
  const owner: unknown = owners.find(
    (candidate) =>
      isMap(candidate) &&
      candidate["controller"] === true &&
      candidate["kind"] === "APIMock" &&
      String(candidate["apiVersion"]).startsWith("apirator.io/"),
  );
  const labels = isMap(metadata["labels"]) ? metadata["labels"] : {};
  return {
    apiVersion: text("apiversion", data["apiVersion"]),
    kind: text("kind", data["kind"]),
    namespace: text("namespace", metadata["namespace"]),
    name: text("name", metadata["name"]),
    shared: labels[definitionLabel] === "true",
    ...(isMap(owner) && typeof owner["name"] === "string" ? { owner: owner["name"] } : {}),
  };
}

/** A reference does not say why its ConfigMap is watched: one that is named like a child is taken for one. */
function configMap(object: Named): Subject | undefined {
  const owner = object.shared ? undefined : mockOfConfigMap(object.name);
  if (owner !== undefined) return mock({ ...object, name: owner });
  const { namespace, name } = object;
  return isName(namespace, name) ? { kind: "definition", namespace, name } : undefined;
}

function mock({ namespace, name }: Key): Subject | undefined {
  return isName(namespace, name) ? { kind: "mock", namespace, name } : undefined;
}

/** Names become segments of a path: nothing but DNS names (RFC 1123) gets there. */
function isName(namespace: string, name: string): boolean {
  const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
  const subdomain = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
  return label.test(namespace) && subdomain.test(name);
}

function none(why: string): Reading {
  return { kind: "none", why };
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
