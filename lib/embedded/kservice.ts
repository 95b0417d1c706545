import type { Json, JsonObject } from "./json.ts";
import { isList, isObject, sameJson } from "./json.ts";
import { metadataOf } from "./metadata.ts";

/**
 * Answers the Knative Service as Knative's defaulting webhook leaves it (knative/serving pkg/apis/serving/v1 revision_defaults.go,
 * service_defaults.go), with the annotations that say who wrote it. What else is set stays as it is.
 */
export function completeKService(
  object: JsonObject,
  old: JsonObject | undefined,
  user: string,
): JsonObject {
  const completed = completeSpec(object, old);
  const metadata = metadataOf(object);
  const before = old === undefined ? {} : objectAt(metadataOf(old), "annotations");
  const isChange = old === undefined || !sameJson(old["spec"], completed["spec"]);
  const authors = {
    [creator]: before[creator] ?? user,
    [lastModifier]: isChange ? user : (before[lastModifier] ?? user),
  };
  const annotations = { ...objectAt(metadata, "annotations"), ...authors };
  return { ...completed, metadata: { ...metadata, annotations } };
}

const creator = "serving.knative.dev/creator";
const lastModifier = "serving.knative.dev/lastModifier";

function completeSpec(object: JsonObject, old: JsonObject | undefined): JsonObject {
  const spec = objectAt(object, "spec");
  const template = objectAt(spec, "template");
  const revision = objectAt(template, "spec");
  const containers = isList(revision["containers"]) ? revision["containers"] : [];
  return {
    ...object,
    spec: {
      ...spec,
      template: {
        ...template,
        spec: {
          containerConcurrency: 0,
          timeoutSeconds: 300,
          // Only at creation: a Service from before this default keeps Kubernetes' own.
          ...(old === undefined ? { enableServiceLinks: false } : {}),
          ...revision,
          containers: containers.map((container, index) =>
            isObject(container)
              ? completeContainer(container, containers.length === 1 ? "" : `-${index}`)
              : container,
          ),
        },
      },
      traffic: spec["traffic"] ?? [{ latestRevision: true, percent: 100 }],
    },
  };
}

function completeContainer(container: JsonObject, suffix: string): JsonObject {
  const { name, resources, readinessProbe, volumeMounts, ports } = container;
  return {
    ...container,
    name: name ?? `user-container${suffix}`,
    resources: resources ?? {},
    readinessProbe: completeProbe(readinessProbe),
    ...(isList(volumeMounts)
      ? { volumeMounts: volumeMounts.map((mount) => withDefaults(mount, { readOnly: true })) }
      : {}),
    ...(isList(ports)
      ? { ports: ports.map((port) => withDefaults(port, { protocol: "TCP" })) }
      : {}),
  };
}

function completeProbe(probe: Json | undefined): Json {
  const given = isObject(probe) ? probe : {};
  const action = ["httpGet", "exec", "grpc", "tcpSocket"].some((name) => name in given)
    ? {}
    : { tcpSocket: { port: 0 } };
  const periodic =
    typeof given["periodSeconds"] === "number" && given["periodSeconds"] > 0
      ? { failureThreshold: 3, timeoutSeconds: 1 }
      : {};
  return { successThreshold: 1, ...periodic, ...action, ...given };
}

function withDefaults(value: Json, defaults: JsonObject): Json {
  return isObject(value) ? { ...defaults, ...value } : value;
}

function objectAt(value: JsonObject, name: string): JsonObject {
  const member = value[name];
  return isObject(member) ? member : {};
}
