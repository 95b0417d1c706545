import { kinds } from "../cluster/kinds.ts";
import type { Kind } from "../cluster/kinds.ts";
import { coreColumns, knativeColumns } from "./columns.ts";
import { configMapCauses } from "./config-map.ts";
import { completeDeployment, completeService, isSameDeployment } from "./core.ts";
import { completeKService } from "./kservice.ts";
import { isSameSpec } from "./metadata.ts";
import type { Column, Resource } from "./resource.ts";
import type { Shape } from "./shape.ts";
import { atomicObject, fields, mapList, metadataShape } from "./shape.ts";

const container = fields({
  env: mapList(["name"]),
  volumeMounts: mapList(["mountPath"]),
  ports: {
    ...mapList(["containerPort", "protocol"]),
    keyDefaults: { protocol: "TCP" },
  },
});
const podSpec = fields({
  containers: mapList(["name"], container),
  initContainers: mapList(["name"], container),
  volumes: mapList(["name"]),
  imagePullSecrets: mapList(["name"]),
  nodeSelector: atomicObject,
});
const template = fields({ metadata: metadataShape, spec: podSpec });
const conditions = mapList(["type"]);
// Knative's CRDs give containers, ports and traffic no list type: they are atomic. Their conditions too.
const knativeTemplate = fields({
  metadata: metadataShape,
  spec: fields({ volumes: mapList(["name"]), imagePullSecrets: mapList(["name"]) }),
});

interface Traits {
  readonly spec?: Shape;
  readonly status?: Shape;
  readonly columns: readonly Column[];
  readonly hasStatus?: boolean;
  readonly hasGeneration?: boolean;
  readonly naming?: Resource["naming"];
  readonly isSameSpec?: Resource["isSameSpec"];
  readonly complete?: Resource["complete"];
  readonly check?: Resource["check"];
}

/**
 * The kinds that a cluster serves beside those of the CRDs given to it: of the core, and Knative Serving's. Their lists merge by the real
 * API's keys; their schemas are not checked.
 */
export const builtIn: readonly Resource[] = [
  resource(kinds.configMap, { columns: coreColumns.ConfigMap, check: configMapCauses }),
  resource(kinds.event, { columns: coreColumns.Event }),
  resource(kinds.deployment, {
    columns: coreColumns.Deployment,
    hasStatus: true,
    hasGeneration: true,
    complete: completeDeployment,
    isSameSpec: isSameDeployment,
    spec: fields({ template, selector: atomicObject }),
    status: fields({ conditions }),
  }),
  resource(kinds.service, {
    columns: coreColumns.Service,
    complete: completeService,
    hasStatus: true,
    naming: "dns1035",
    spec: fields({
      ports: { ...mapList(["port", "protocol"]), keyDefaults: { protocol: "TCP" } },
      selector: atomicObject,
    }),
    status: fields({ conditions }),
  }),
  resource(kinds.ingress, {
    columns: coreColumns.Ingress,
    hasStatus: true,
    hasGeneration: true,
  }),
  resource(kinds.kservice, {
    columns: knativeColumns.Service,
    hasStatus: true,
    hasGeneration: true,
    naming: "dns1035",
    spec: fields({ template: knativeTemplate }),
    complete: completeKService,
  }),
  resource(kinds.revision, {
    columns: knativeColumns.Revision,
    hasStatus: true,
    hasGeneration: true,
    spec: fields({ volumes: mapList(["name"]), imagePullSecrets: mapList(["name"]) }),
  }),
];

function resource(kind: Kind, traits: Traits): Resource {
  const group = kind.apiVersion.includes("/") ? `.${kind.apiVersion.split("/")[0]}` : "";
  return {
    ...kind,
    groupResource: `${kind.plural}${group}`,
    shape: fields({
      metadata: metadataShape,
      ...(traits.spec === undefined ? {} : { spec: traits.spec }),
      ...(traits.status === undefined ? {} : { status: traits.status }),
    }),
    hasStatus: traits.hasStatus ?? false,
    hasGeneration: traits.hasGeneration ?? false,
    isSameSpec: traits.isSameSpec ?? isSameSpec,
    // Knative's kinds are custom resources.
    isTyped: !kind.apiVersion.startsWith("serving.knative.dev/"),
    naming: traits.naming ?? "subdomain",
    columns: traits.columns,
    selectable: [],
    complete: traits.complete ?? ((object) => object),
    unknown: () => [],
    check: traits.check ?? (() => []),
  };
}
