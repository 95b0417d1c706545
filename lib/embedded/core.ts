import type { JsonObject } from "./json.ts";
import { isList, isObject, memberOf, omit, sameJson, textOf } from "./json.ts";
import { isSameSpec, metadataOf } from "./metadata.ts";

/**
 * Answers the Deployment as the API server defaults it (apps/v1 and core/v1 defaults.go), as far as a plain one goes. What is set stays as
 * it is.
 */
export function completeDeployment(object: JsonObject): JsonObject {
  return under(object, "spec", (spec) => ({
    replicas: 1,
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
    strategy: {
      type: "RollingUpdate",
      rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" },
    },
    ...under(spec, "template", (template) => under(template, "spec", completePod)),
  }));
}

/** Answers whether two Deployments are one generation: their annotations count like their spec (apps/v1 deployment strategy). */
export function isSameDeployment(a: JsonObject, b: JsonObject): boolean {
  const annotations = (body: JsonObject) => metadataOf(body)["annotations"];
  return isSameSpec(a, b) && sameJson(annotations(a), annotations(b));
}

/** Answers the Service as the API server defaults it, with an address made from its name. What is set stays as it is. */
export function completeService(object: JsonObject): JsonObject {
  return under(object, "spec", (given) => {
    const spec = { type: "ClusterIP", sessionAffinity: "None", ...given };
    const ports = each(spec, "ports", (port) => ({
      protocol: "TCP",
      ...("port" in port ? { targetPort: port["port"] } : {}),
      ...port,
    }));
    if (spec.type === "ExternalName") return ports;
    const clusterIP = addressOf(metadataOf(object));
    return {
      clusterIP,
      clusterIPs: [memberOf(given, "clusterIP") ?? clusterIP],
      internalTrafficPolicy: "Cluster",
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
      ...ports,
    };
  });
}

function completePod(pod: JsonObject): JsonObject {
  const defaults = {
    restartPolicy: "Always",
    dnsPolicy: "ClusterFirst",
    schedulerName: "default-scheduler",
    securityContext: {},
    terminationGracePeriodSeconds: 30,
  };
  return {
    ...defaults,
    ...each(each(pod, "containers", completeContainer), "volumes", completeVolume),
  };
}

function completeContainer(container: JsonObject): JsonObject {
  const probes = ["livenessProbe", "readinessProbe", "startupProbe"];
  const image = textOf(container["image"] ?? "");
  const isMoving = image.endsWith(":latest") || !/[:@][^/]*$/.test(image);
  return {
    imagePullPolicy: isMoving ? "Always" : "IfNotPresent",
    resources: {},
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    ...each(container, "ports", (port) => ({ protocol: "TCP", ...port })),
    ...Object.fromEntries(
      probes.flatMap((name) => {
        const probe = memberOf(container, name);
        return isObject(probe) ? [[name, completeProbe(probe)]] : [];
      }),
    ),
  };
}

function completeProbe(probe: JsonObject): JsonObject {
  const defaults = {
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  };
  const http = isObject(probe["httpGet"])
    ? { httpGet: { path: "/", scheme: "HTTP", ...probe["httpGet"] } }
    : {};
  return { ...defaults, ...probe, ...http };
}

function completeVolume(volume: JsonObject): JsonObject {
  const sources = ["configMap", "secret"];
  return {
    ...volume,
    ...Object.fromEntries(
      sources.flatMap((name) => {
        const source = memberOf(volume, name);
        return isObject(source) ? [[name, { defaultMode: 0o644, ...source }]] : [];
      }),
    ),
  };
}

/** An address of the Service network that is the same for the same name; two names may share one. */
function addressOf(metadata: JsonObject): string {
  const text = `${textOf(metadata["namespace"] ?? "")}/${textOf(metadata["name"] ?? "")}`;
  let sum = 0;
  for (let index = 0; index < text.length; index += 1)
    sum = (sum * 31 + text.charCodeAt(index)) % 65_000;
  return `10.96.${Math.floor(sum / 256)}.${(sum % 256) + Number(sum === 0)}`;
}

function under(
  object: JsonObject,
  name: string,
  change: (member: JsonObject) => JsonObject,
): JsonObject {
  const member = memberOf(object, name);
  return { ...omit(object, name), [name]: change(isObject(member) ? member : {}) };
}

function each(
  object: JsonObject,
  name: string,
  change: (item: JsonObject) => JsonObject,
): JsonObject {
  const items = memberOf(object, name);
  if (!isList(items)) return object;
  return { ...object, [name]: items.map((item) => (isObject(item) ? change(item) : item)) };
}
