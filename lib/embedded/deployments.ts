import type { KubeObject } from "../cluster/cluster.ts";
import { kinds } from "../cluster/kinds.ts";
import type { Log } from "../log.ts";
import type { Key } from "../names.ts";
import { keyText } from "../names.ts";
import { conditionsOf, timed } from "./conditions.ts";
import type { Json } from "./json.ts";
import { sameJson } from "./json.ts";
import { templateOf } from "./knative.ts";
import type { MemoryCluster } from "./memory.ts";
import type { Running, Start } from "./pod.ts";
import { environmentOf, mountedDefinition } from "./pod.ts";
import { createQueue } from "./queue.ts";

/** What the stand-in is made of. */
export interface DeploymentParts {
  readonly memory: MemoryCluster;
  readonly start: Start;
  readonly now: () => Date;
  readonly log: Log;
}

/** A running stand-in for the Deployment controller and its pods. */
export interface Deployments {
  /** Resolves when every Deployment is as its template and the ConfigMaps allow. */
  settled(): Promise<void>;
  /** Sends a request to the Deployment's newest pod that started; undefined where there is none. */
  fetch(key: Key, request: Request, env: object): Promise<Response> | undefined;
  /** Ends the watch. */
  stop(): void;
}

/**
 * Answers a stand-in for the Deployment controller: a template whose mock starts replaces the one before and is Available, one whose mock
 * does not leaves the old pod answering and says so (`Progressing` False). Pods and ReplicaSets are no objects here.
 */
export function createDeployments({ memory, start, now, log }: DeploymentParts): Deployments {
  const cluster = memory.as("kube-controller-manager");
  const pods = new Map<string, { readonly template: string; readonly mock: Running }>();
  const failed = new Map<string, Key>();
  const queue = createQueue(settle, (key, error) => {
    log("error", "a Deployment could not be run", { key: keyText(key), error: String(error) });
  });

  async function settle(key: Key): Promise<void> {
    const deployment = await cluster.get(kinds.deployment, key);
    failed.delete(keyText(key));
    if (deployment === undefined) {
      pods.delete(keyText(key));
      return;
    }
    const template = JSON.stringify(templateOf(deployment));
    const before = pods.get(keyText(key));
    const why = before?.template === template ? undefined : await replace(deployment, template);
    if (why !== undefined) failed.set(keyText(key), key);
    await report(deployment, { available: pods.has(keyText(key)), why });
  }

  /** Answers why the new pod does not start, or undefined where it has taken over. */
  async function replace(deployment: KubeObject, template: string): Promise<string | undefined> {
    const { namespace } = deployment.metadata;
    const { spec } = templateOf(deployment);
    try {
      const definition = await mountedDefinition(cluster, namespace, spec);
      const mock = await start(definition, environmentOf(spec));
      pods.set(keyText(deployment.metadata), { template, mock });
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  async function report(
    deployment: KubeObject,
    { available, why }: { available: boolean; why: string | undefined },
  ): Promise<void> {
    const { apiVersion, kind, metadata } = deployment;
    const status = {
      observedGeneration: metadata.generation ?? 1,
      replicas: why === undefined ? 1 : 1 + Number(available),
      updatedReplicas: 1,
      ...(available ? { readyReplicas: 1, availableReplicas: 1 } : {}),
      ...(why === undefined ? {} : { unavailableReplicas: 1 }),
      conditions: timed(
        [
          available
            ? { type: "Available", status: "True", reason: "MinimumReplicasAvailable" }
            : { type: "Available", status: "False", reason: "MinimumReplicasUnavailable" },
          why === undefined
            ? { type: "Progressing", status: "True", reason: "NewReplicaSetAvailable" }
            : {
                type: "Progressing",
                status: "False",
                reason: "ProgressDeadlineExceeded",
                message: why,
              },
        ],
        conditionsOf(deployment["status"]),
        now().toISOString(),
      ),
    };
    if (sameJson(deployment["status"] as Json | undefined, status as unknown as Json)) return;
    const { namespace, name } = metadata;
    await cluster.applyStatus({ apiVersion, kind, metadata: { namespace, name }, status });
  }

  const stop = memory.watch(({ object: { kind, metadata } }) => {
    const { namespace, name } = metadata;
    if (kind === kinds.deployment.kind) queue.add({ namespace, name });
    if (kind !== kinds.configMap.kind) return;
    for (const key of failed.values()) if (key.namespace === namespace) queue.add(key);
  });

  return {
    stop,
    settled: () => queue.settled(),
    fetch: (key, request, env) => {
      const pod = pods.get(keyText(key));
      return pod === undefined ? undefined : Promise.resolve(pod.mock.fetch(request, env));
    },
  };
}
