import type { APIMock } from "../../lib/apimock.ts";
import type { KubeObject } from "../../lib/cluster/cluster.ts";
import type { Event } from "../../lib/cloudevent.ts";
import { resyncEvent, toRequest } from "../../lib/cloudevent.ts";
import type { Key } from "../../lib/names.ts";

/** Answers a small valid definition; another word makes another one. */
export function definitionText(word: string): string {
  return JSON.stringify({
    openapi: "3.0.3",
    info: { title: `API of ${word}`, version: "1" },
    paths: {
      "/words": {
        get: {
          operationId: "word",
          responses: {
            200: {
              description: word,
              content: { "application/json": { example: { word } } },
            },
          },
        },
      },
    },
  });
}

/** A definition with one error, at a known place. */
export const badText = `openapi: 3.0.3
info: {title: Bets, version: "1"}
paths:
  /bets:
    get:
      responses:
        "200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Bett"}}}}
`;

/** Answers a mock as a user would apply it. */
export function mockOf(
  name: string,
  spec: Partial<Omit<APIMock["spec"], "service">> & {
    service?: Partial<APIMock["spec"]["service"]>;
  } = {},
): KubeObject {
  const definition = spec.definitionFrom === undefined ? { definition: definitionText("one") } : {};
  return {
    apiVersion: "apirator.io/v1alpha1",
    kind: "APIMock",
    metadata: { name, namespace: "default" },
    spec: { ...definition, ...spec },
  };
}

/** Answers a ConfigMap of a user, shared as a definition unless labels are given. */
export function sharedConfigMap(
  name: string,
  content: { data?: Record<string, string>; binaryData?: Record<string, string> },
  labels: Record<string, string> = { "apirator.io/definition": "true" },
): KubeObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "default", labels },
    ...content,
  };
}

/** Answers the event of an ApiServerSource in Reference mode about an object. */
export function referenceEvent(
  object: { apiVersion: string; kind: string } & Key,
  verb: "add" | "update" | "delete" = "update",
): Event {
  const { apiVersion, kind, namespace, name } = object;
  return {
    ...resyncEvent({ namespace, name }, { id: "1", time: "2030-01-01T00:00:00Z" }),
    type: `dev.knative.apiserver.ref.${verb}`,
    source: "https://10.96.0.1:443",
    apiversion: apiVersion,
    kind,
    data: { apiVersion, kind, namespace, name },
  };
}

/** Answers the request that posts the event to a function. */
export function postOf(event: Event): Request {
  const { headers, body } = toRequest(event);
  return new Request("http://function/", { method: "POST", headers, body });
}
