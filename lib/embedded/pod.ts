import type { Cluster, KubeObject } from "../cluster/cluster.ts";
import { kinds } from "../cluster/kinds.ts";
import { definitionFile } from "../names.ts";
import type { PodSpec } from "./knative.ts";

/** A mock that runs: what the process in a pod would be. `env` is passed through to its app (the raw target is in it). */
export interface Running {
  fetch(request: Request, env: object): Response | Promise<Response>;
}

/**
 * Starts a mock from the bytes of a compiled definition and the container's environment; rejects where the process would exit.
 * The message of that error is shown in conditions.
 */
export type Start = (
  definition: Uint8Array,
  environment: Readonly<Record<string, string>>,
) => Promise<Running>;

/**
 * Answers the bytes that a pod of this spec would find where its definition is mounted. Rejects with what the kubelet
 * would report where the ConfigMap or its key is missing: such a pod never starts.
 */
export async function mountedDefinition(
  cluster: Cluster,
  namespace: string,
  pod: PodSpec,
): Promise<Uint8Array> {
  const volume = pod.volumes?.find((volume) => volume.configMap !== undefined);
  const name = volume?.configMap?.name;
  if (name === undefined) throw new Error("no volume holds a definition");
  const configMap = await cluster.get(kinds.configMap, { namespace, name });
  if (configMap === undefined) throw new Error(`configmap "${name}" not found`);
  const definition = dataOf(configMap);
  if (definition === undefined) throw new Error(`configmap "${name}" has no ${definitionFile}`);
  return definition;
}

/** Answers the environment of a pod's first container: its plain values. */
export function environmentOf(pod: PodSpec): Record<string, string> {
  const variables = pod.containers?.[0]?.env ?? [];
  return Object.fromEntries(variables.map(({ name, value = "" }) => [name, value]));
}

function dataOf(configMap: KubeObject): Uint8Array | undefined {
  const data = configMap["binaryData"] as Readonly<Record<string, string>> | undefined;
  const encoded = data?.[definitionFile];
  if (encoded === undefined) return undefined;
  return Uint8Array.from(atob(encoded), (character) => character.codePointAt(0) ?? 0);
}
