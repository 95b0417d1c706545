import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { startDaemon } from "./daemons.ts";
import { knativeManifests, type Manifest } from "./knative.ts";
import { applyManifest, kubectl } from "./kubectl.ts";
import { places } from "./places.ts";
import { programPath } from "./programs.ts";

/** Where the two senders post on the control plane alone: whoever listens there, inside the cluster's network, is `reconcile` and `resync`. */
const sinks = { source: "http://127.0.0.1:8090", ping: "http://127.0.0.1:8091" } as const;

const system = "apirator-system";
const operator = join(import.meta.dirname, "../../knative/operator");

interface Source {
  readonly spec: {
    readonly mode: string;
    readonly resources: readonly {
      readonly apiVersion: string;
      readonly kind: string;
      readonly selector?: Selector;
    }[];
  };
}

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly { readonly key: string; readonly operator: string }[];
}

/** Applies what the senders and the contract need of Knative and of Apirator: the kinds, no controller. */
export async function applyKinds(): Promise<void> {
  const kinds = knativeManifests()
    .filter((object) => object.kind === "CustomResourceDefinition")
    // Nobody is there to convert.
    .map((object: Manifest) => ({
      ...object,
      spec: { ...object.spec, conversion: { strategy: "None" } },
    }));
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: system } };
  await applyManifest(
    JSON.stringify({ apiVersion: "v1", kind: "List", items: [...kinds, namespace] }),
  );
  await kubectl("apply", "--server-side", "--force-conflicts", "-k", join(operator, "../crd"));
  await kubectl("wait", "--for=condition=Established", "--timeout=60s", "crd", "--all");
}

/** Starts the event source's program with the resources of the shipped `source.yaml`. */
export async function startSource(): Promise<void> {
  const { spec } = parse(readFileSync(join(operator, "source.yaml"), "utf8")) as Source;
  const config = {
    namespaces: [""],
    allNamespaces: true,
    mode: spec.mode,
    resources: spec.resources.map(({ apiVersion, kind, selector }) => ({
      gvr: resourceOf(apiVersion, kind),
      selector: selectorText(selector),
    })),
  };
  await startDaemon({
    name: "source",
    ports: [8008, 8080],
    command: programPath("eventing-apiserver-receive-adapter"),
    args: [],
    env: {
      ...common,
      NAME: "apirator",
      K_SINK: sinks.source,
      K_SOURCE_CONFIG: JSON.stringify(config),
      KUBECONFIG: places.kubeconfig,
    },
  });
}

/** Starts the ping's program, and applies a PingSource like the shipped one, with the status that its controller would give it. */
export async function startPing(): Promise<void> {
  const ping = readFileSync(join(operator, "ping.yaml"), "utf8").replace(
    /sink:[^]*$/,
    `sink: {uri: ${sinks.ping}}\n`,
  );
  await applyManifest(ping);
  const status = {
    sinkUri: sinks.ping,
    conditions: [{ type: "Ready", status: "True" }],
    observedGeneration: 1,
  };
  await kubectl(
    "patch",
    "pingsource",
    "resync",
    "--namespace",
    system,
    "--subresource",
    "status",
    "--type",
    "merge",
    "--patch",
    JSON.stringify({ status }),
  );
  await startDaemon({
    name: "ping",
    ports: [8009],
    command: programPath("eventing-ping"),
    args: [],
    env: {
      ...common,
      PROFILING_PORT: "8009",
      POD_NAME: "ping",
      K_NO_SHUTDOWN_AFTER: "0",
      KUBECONFIG: places.kubeconfig,
    },
  });
}

const common = {
  NAMESPACE: system,
  SYSTEM_NAMESPACE: system,
  K_LOGGING_CONFIG: "{}",
  K_OBSERVABILITY_CONFIG: "{}",
  K_LEADER_ELECTION_CONFIG: "{}",
};

/** The plural that Knative guesses from a kind: lower case, with the English ending. */
function resourceOf(
  apiVersion: string,
  kind: string,
): { Group: string; Version: string; Resource: string } {
  const [version = "", group = ""] = apiVersion.split("/").toReversed();
  const singular = kind.toLowerCase();
  return {
    Group: group,
    Version: version,
    Resource: singular.endsWith("s") ? `${singular}es` : `${singular}s`,
  };
}

/** A label selector as a query writes it. */
function selectorText({ matchLabels = {}, matchExpressions = [] }: Selector = {}): string {
  const equal = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  const present = matchExpressions.map(({ key, operator }) =>
    operator === "Exists" ? key : `!${key}`,
  );
  return [...equal, ...present].join(",");
}
