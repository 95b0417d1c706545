import type { APIMock } from "../../lib/apimock.ts";
import type { KubeObject } from "../../lib/cluster/cluster.ts";
import type { MemoryCluster } from "../../lib/embedded/memory.ts";
import { mountedBy } from "../../functions/reconcile/workload.ts";

/** What of a world must be the same, whatever way led to it: all but uids, resourceVersions, times, counts of generations, and what only looks back. */
export interface Comparable {
  readonly mocks: readonly unknown[];
  readonly kservices: readonly unknown[];
  readonly configMaps: readonly unknown[];
}

/** Answers the comparable part of the cluster: every mock, its KService, and the ConfigMaps that are served or to be served. */
export function comparableOf(memory: MemoryCluster): Comparable {
  const objects = memory.objects();
  const of = (kind: string): KubeObject[] => objects.filter((object) => object.kind === kind);
  const mocks = of("APIMock") as APIMock[];
  const uidOf = new Map(mocks.map(({ metadata }) => [metadata.uid ?? "", metadata.name]));
  const kservices = of("Service");
  const revisions = new Map(of("Revision").map((object) => [object.metadata.name, object]));
  const routed = (kservice: KubeObject): (string | undefined)[] =>
    ((kservice["status"] as Status)?.traffic ?? []).map(({ revisionName }) =>
      mountedBy(revisions.get(revisionName ?? "")?.["spec"]),
    );
  const present = new Set(of("ConfigMap").map(({ metadata }) => metadata.name));
  const holding = new Set(mocks.filter(isHolding).map(({ metadata }) => metadata.name));
  const mounted = new Set(
    kservices.flatMap((kservice) => [mountedBy(podOf(kservice)), ...routed(kservice)]),
  );
  return {
    mocks: sorted(mocks.map(mockShape)),
    kservices: sorted(
      kservices.map((kservice) => ({
        metadata: metadataShape(kservice, uidOf),
        spec: kservice["spec"],
        routed: routed(kservice),
        // A Revision whose ConfigMap is gone stays ready if it was, and does not start if it is new.
        ...(present.has(mountedBy(podOf(kservice)) ?? "")
          ? { conditions: conditionShapes(kservice["status"] as Status) }
          : {}),
      })),
    ),
    configMaps: sorted(
      of("ConfigMap")
        .filter(({ metadata }) => mounted.has(metadata.name))
        .map((configMap) => ({
          metadata: withoutSource(metadataShape(configMap, uidOf), holding),
          immutable: configMap["immutable"],
          binaryData: configMap["binaryData"],
        })),
    ),
  };
}

/** Answers the names of the operator's ConfigMaps that nothing mounts and no status names. */
export function leftOver(memory: MemoryCluster): string[] {
  const objects = memory.objects();
  const mounted = new Set(objects.map((object) => mountedBy(podOf(object) ?? object["spec"])));
  const named = new Set(
    objects.map(
      ({ metadata, status }) => `${metadata.name}-${(status as Status)?.definition?.hash}`,
    ),
  );
  return objects
    .filter(({ kind, metadata }) => kind === "ConfigMap" && metadata.labels?.["apirator.io/mock"])
    .map(({ metadata }) => metadata.name)
    .filter((name) => !mounted.has(name) && !named.has(name));
}

interface Status {
  readonly traffic?: readonly { revisionName?: string }[];
  readonly conditions?: readonly { type: string; status: string; reason?: string }[];
  readonly definition?: { hash: string };
}

function mockShape({ metadata, spec, status }: APIMock): unknown {
  const { applied: _, observedGeneration, definition, conditions = [], ...rest } = status ?? {};
  // What a lost definition was is only known where a status had said it before.
  const isLost = conditions.some(({ reason }) => reason === "DefinitionLost");
  return {
    name: metadata.name,
    spec,
    status: {
      ...rest,
      ...(definition === undefined || isLost ? {} : { definition }),
      observed: observedGeneration === metadata.generation,
      conditions: conditions.map(({ type, status, reason, message, observedGeneration }) => ({
        type,
        status,
        reason,
        message,
        observed: observedGeneration === metadata.generation,
      })),
    },
  };
}

/** Which text a held definition came of stands in no spec: once taken away it is not known again. */
function isHolding({ spec, status }: APIMock): boolean {
  return (
    !spec.watch ||
    status?.conditions?.some(({ type, status }) => type === "Validated" && status !== "True") ===
      true
  );
}

function withoutSource(shape: MetadataShape, holding: ReadonlySet<string>): MetadataShape {
  if (!holding.has(shape.labels?.["apirator.io/mock"] ?? "")) return shape;
  const { "apirator.io/source": _, ...annotations } = shape.annotations;
  return { ...shape, annotations };
}

interface MetadataShape {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly annotations: Readonly<Record<string, string>>;
  readonly owners: unknown;
}

function metadataShape(
  { metadata }: KubeObject,
  uidOf: ReadonlyMap<string, string>,
): MetadataShape {
  const { name, labels, annotations, ownerReferences } = metadata;
  const owners = ownerReferences?.map(({ uid, ...owner }) => ({ ...owner, uid: uidOf.get(uid) }));
  // A change by hand that has become what is wanted is left, and Knative goes on naming who made it.
  const {
    "apirator.io/desired": _,
    "serving.knative.dev/lastModifier": __,
    ...notes
  } = annotations ?? {};
  return { name, labels, annotations: notes, owners };
}

function conditionShapes(status: Status | undefined): unknown {
  return (status?.conditions ?? []).map(({ type, status, reason }) => ({ type, status, reason }));
}

function podOf({ spec }: KubeObject): unknown {
  return (spec as { template?: { spec?: unknown } } | undefined)?.template?.spec;
}

function sorted(shapes: readonly unknown[]): readonly unknown[] {
  return shapes.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
