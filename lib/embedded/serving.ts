import type { KubeObject } from "../cluster/cluster.ts";
import { kinds } from "../cluster/kinds.ts";
import type { Log } from "../log.ts";
import type { Key } from "../names.ts";
import { keyText } from "../names.ts";
import { conditionStatus } from "./conditions.ts";
import type { Json } from "./json.ts";
import { sameJson } from "./json.ts";
import type { MemoryCluster } from "./memory.ts";
import type { PodSpec } from "./knative.ts";
import { configurationOf, revisionName, revisionOf, serving } from "./knative.ts";
import type { Running, Start } from "./pod.ts";
import { environmentOf, mountedDefinition } from "./pod.ts";
import { createQueue } from "./queue.ts";
import type { Failure, Rollout } from "./rollout.ts";
import { revisionStatus, routedRevisions, routingPatch, serviceStatus } from "./rollout.ts";

/** What the stand-in is made of. `url` names where a KService answers. */
export interface ServingParts {
  /** Serves Configurations too: it was made with `configurationCrd`. */
  readonly memory: MemoryCluster;
  readonly start: Start;
  readonly url: (key: Key) => string;
  readonly now: () => Date;
  readonly log: Log;
}

/** A running stand-in for Knative Serving. */
export interface Serving {
  /** Resolves when every KService is as its spec and the ConfigMaps allow. */
  settled(): Promise<void>;
  /**
   * Sends a request to the routed Revision of a KService; its mock is started by the first one. Answers undefined where no Revision is
   * routed. Rejects where the mock cannot be started (its ConfigMap is gone): a real request would wait until it times out.
   */
  fetch(key: Key, request: Request, env: object): Promise<Response> | undefined;
  /** Ends the watch. */
  stop(): void;
}

/**
 * Answers a stand-in for Knative Serving: each change of a KService's template becomes a Configuration's Revision, which is started
 * once; a Revision that starts takes the traffic, one that does not leaves it where it was; statuses, labels and owners are Knative's.
 * Simplified: of split traffic only the largest share answers, Configuration and Route have no status, no autoscaler (a mock is there
 * from its first request until another Revision replaces it), no clean-up of old Revisions, no webhook annotations.
 */
export function createServing(parts: ServingParts): Serving {
  const cluster = parts.memory.as("knative-serving");
  const pods = new Map<string, Pod>();
  const failed = new Map<string, Key>();
  const queue = createQueue(settle, (key, error) => {
    parts.log("error", "a KService could not be served", {
      key: keyText(key),
      error: String(error),
    });
  });

  async function settle(key: Key): Promise<void> {
    const kservice = await cluster.get(kinds.kservice, key);
    if (kservice === undefined) {
      pods.delete(keyText(key));
      failed.delete(keyText(key));
      return;
    }
    const { configuration, latest } = await rolledOut(kservice);
    const url = parts.url(key);
    await report({ kservice, revisions: await revisionsOf(configuration), latest, url });
    const judged = await judge(latest, key);
    const rollout = { kservice, revisions: await revisionsOf(configuration), latest: judged, url };
    await route(rollout, key);
    await report(rollout);
  }

  /** Answers the Configuration of the KService and the Revision of its present generation, made where it is missing. */
  async function rolledOut(kservice: KubeObject) {
    const configuration = await cluster.apply(configurationOf(kservice));
    const { namespace } = configuration.metadata;
    const at = { namespace, name: revisionName(configuration) };
    const latest =
      (await cluster.get(kinds.revision, at)) ??
      (await cluster.apply(revisionOf(configuration, parts.now().toISOString())));
    return { configuration, latest };
  }

  async function revisionsOf({ metadata }: KubeObject): Promise<readonly KubeObject[]> {
    const labelSelector = `${serving.configurationUid}=${metadata.uid}`;
    const page = await cluster.list(kinds.revision, {
      namespace: metadata.namespace,
      labelSelector,
    });
    return page.items;
  }

  /** Starts the Revision's mock once, to see whether it can be; one that is ready stays so. Answers the Revision with its status. */
  async function judge(revision: KubeObject, key: Key): Promise<KubeObject> {
    if (conditionStatus(revision["status"], "Ready") === "True") return revision;
    const failure = await startFailure(revision);
    if (failure === undefined) failed.delete(keyText(key));
    else failed.set(keyText(key), key);
    return writeStatus(revision, revisionStatus(revision, failure, parts.now().toISOString()));
  }

  async function startFailure(revision: KubeObject): Promise<Failure> {
    const spec = revision["spec"] as PodSpec;
    try {
      const definition = await mountedDefinition(cluster, revision.metadata.namespace, spec);
      try {
        await parts.start(definition, environmentOf(spec));
        return undefined;
      } catch (error) {
        return {
          condition: "ContainerHealthy",
          message: `Container failed with: ${textOf(error)}`,
        };
      }
    } catch (error) {
      return { condition: "ResourcesAvailable", message: textOf(error) };
    }
  }

  /** Sends requests to the routed Revision from now on, and labels all by whether they get traffic. */
  async function route(rollout: Rollout, key: Key): Promise<void> {
    const routed = routedRevisions(rollout);
    const first = routed.toSorted((a, b) => b.percent - a.percent)[0]?.revision;
    if (first === undefined) pods.delete(keyText(key));
    else if (pods.get(keyText(key))?.revision.metadata.uid !== first.metadata.uid)
      pods.set(keyText(key), { revision: first });
    const active = new Set(routed.map(({ revision }) => revision.metadata.uid));
    for (const revision of rollout.revisions) {
      const patch = routingPatch(revision, active.has(revision.metadata.uid), parts.now());
      if (patch.length > 0) await cluster.patch(kinds.revision, revision.metadata, patch);
    }
  }

  async function report(rollout: Rollout): Promise<void> {
    const live = await cluster.get(kinds.kservice, rollout.kservice.metadata);
    if (live === undefined) return;
    await writeStatus(
      live,
      serviceStatus(
        { ...rollout, kservice: { ...rollout.kservice, status: live["status"] } },
        parts.now().toISOString(),
      ),
    );
  }

  async function writeStatus(object: KubeObject, status: object): Promise<KubeObject> {
    if (sameJson(object["status"] as Json | undefined, status as Json)) return object;
    const { apiVersion, kind, metadata } = object;
    const { namespace, name } = metadata;
    return cluster.applyStatus({ apiVersion, kind, metadata: { namespace, name }, status });
  }

  async function running(pod: Pod): Promise<Running> {
    const { metadata, spec } = pod.revision as KubeObject & { spec: PodSpec };
    const definition = await mountedDefinition(cluster, metadata.namespace, spec);
    return parts.start(definition, environmentOf(spec));
  }

  const stop = parts.memory.watch(({ object }) => {
    const { metadata } = object;
    const service = serviceName(object);
    if (service !== undefined) queue.add({ namespace: metadata.namespace, name: service });
    if (object.kind !== kinds.configMap.kind) return;
    // A pod that waits for its volume starts when the ConfigMap comes.
    for (const key of failed.values()) if (key.namespace === metadata.namespace) queue.add(key);
  });

  return {
    stop,
    settled: () => queue.settled(),
    fetch(key, request, env) {
      const pod = pods.get(keyText(key));
      if (pod === undefined) return undefined;
      pod.running ??= running(pod).catch((error: unknown) => {
        delete pod.running;
        throw error;
      });
      return pod.running.then((mock) => mock.fetch(request, env));
    },
  };
}

/** The routed Revision of a KService, and its mock once somebody called it. */
interface Pod {
  readonly revision: KubeObject;
  running?: Promise<Running>;
}

/** Answers the KService that an object of Serving belongs to; a Revision that is removed is made again, as by Knative. */
function serviceName({ apiVersion, kind, metadata }: KubeObject): string | undefined {
  if (apiVersion !== kinds.kservice.apiVersion) return undefined;
  return kind === kinds.kservice.kind ? metadata.name : metadata.labels?.[serving.service];
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
