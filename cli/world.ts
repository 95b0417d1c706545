import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";
import { parse } from "yaml";
import { createMockApp } from "../functions/mock/app.ts";
import { readEnvironment } from "../functions/mock/settings.ts";
import { createReconcileApp } from "../functions/reconcile/app.ts";
import type { Outcome } from "../functions/reconcile/outcome.ts";
import type { Clock } from "../lib/clock.ts";
import { clockOf } from "../lib/clock.ts";
import type { Cluster } from "../lib/cluster/cluster.ts";
import { unpack } from "../lib/compiled/pack.ts";
import type { Compiler } from "../lib/compiler/compilation.ts";
import { createCompiler } from "../lib/compiler/compiler.ts";
import type { Broker } from "../lib/embedded/broker.ts";
import { createBroker } from "../lib/embedded/broker.ts";
import { configurationCrd } from "../lib/embedded/knative.ts";
import type { MemoryCluster } from "../lib/embedded/memory.ts";
import { createMemoryCluster } from "../lib/embedded/memory.ts";
import { requestOf } from "../lib/embedded/message.ts";
import type { Start } from "../lib/embedded/pod.ts";
import type { Serving } from "../lib/embedded/serving.ts";
import { createServing } from "../lib/embedded/serving.ts";
import type { WatchedResource } from "../lib/embedded/source.ts";
import { createSource } from "../lib/embedded/source.ts";
import type { Log } from "../lib/log.ts";
import { noLog } from "../lib/log.ts";
import { createMetrics } from "../lib/metrics.ts";
import type { Key } from "../lib/names.ts";
import { definitionLabel, manager, mockLabel } from "../lib/names.ts";
import { files } from "./files.ts";

/** What may be chosen of a world; the defaults are those of `apirator dev`. */
export interface WorldOptions {
  /** Where a mock answers, without a slash at the end. */
  readonly url?: (key: Key) => string;
  readonly clock?: Clock;
  readonly uid?: () => string;
  readonly compiler?: Compiler;
  readonly log?: Log;
  /** Called with the end of each reconcile. */
  readonly ended?: (key: Key, outcome: Outcome) => void;
}

/** The operator on a cluster in memory: the functions are the real ones, what is around them stands in for Kubernetes and Knative. */
export interface World {
  readonly memory: MemoryCluster;
  /** The cluster as a user of kubectl sees it. */
  readonly user: Cluster;
  /** The function `reconcile`: takes a CloudEvent, answers 204, 503 or 400. */
  readonly reconcile: (request: Request) => Promise<Response>;
  close(): Promise<void>;
}

/** A world in which changes become events, and KServices run. */
export interface ConnectedWorld extends World {
  readonly serving: Serving;
  readonly broker: Broker;
  /** Resolves when no event is under way and nothing is being started: the world is at rest. */
  settled(): Promise<void>;
}

/** `spec.resources` of the installed ApiServerSource (knative/operator/source.yaml; a test compares). */
export const watchedResources: readonly WatchedResource[] = [
  { apiVersion: "apirator.io/v1alpha1", kind: "APIMock" },
  {
    apiVersion: "v1",
    kind: "ConfigMap",
    selector: { matchExpressions: [{ key: mockLabel, operator: "Exists" }] },
  },
  { apiVersion: "v1", kind: "ConfigMap", selector: { matchLabels: { [definitionLabel]: "true" } } },
  {
    apiVersion: "serving.knative.dev/v1",
    kind: "Service",
    selector: { matchExpressions: [{ key: mockLabel, operator: "Exists" }] },
  },
  ...(["apps/v1 Deployment", "v1 Service"] as const).map((text): WatchedResource => {
    const [apiVersion = "", kind = ""] = text.split(" ");
    return {
      apiVersion,
      kind,
      selector: {
        matchExpressions: [
          { key: mockLabel, operator: "Exists" },
          { key: "serving.knative.dev/service", operator: "DoesNotExist" },
        ],
      },
    };
  }),
  {
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    selector: { matchExpressions: [{ key: mockLabel, operator: "Exists" }] },
  },
];

/** Address of the function in a cluster; here it is only what requests are made of. */
const reconcileUrl = "http://reconcile.apirator-system.svc.cluster.local/";

/** The function `reconcile` in this process, on whatever cluster it is given. */
export interface Reconcile {
  readonly fetch: (request: Request) => Promise<Response>;
  close(): Promise<void>;
}

/** Answers the function `reconcile` on a cluster; `image` is what mocks run. Its compiler is a process of its own. */
export function createReconcile(cluster: Cluster, image: string, options: WorldOptions): Reconcile {
  const { clock = clockOf(Date.now), log = noLog, ended } = options;
  const compiler = options.compiler ?? createCompiler({ entry: files.compiler });
  const app = createReconcileApp({
    cluster,
    compiler,
    clock,
    log,
    settings: { image },
    metrics: createMetrics(),
    ...(ended === undefined ? {} : { ended }),
  });
  return { fetch: async (request) => app.fetch(request), close: () => compiler.close() };
}

/** Answers the operator on an empty cluster in memory. Nothing but what is sent to `reconcile` makes it work. */
export function createWorld(options: WorldOptions = {}): World {
  const { clock = clockOf(Date.now) } = options;
  const memory = createMemoryCluster({
    crds: [parse(readFileSync(files.crd, "utf8")) as unknown, configurationCrd],
    now: () => new Date(clock.now()),
    uid: options.uid ?? randomUUID,
  });
  const reconcile = createReconcile(memory.as(manager), "apirator", options);
  return {
    memory,
    user: memory.as("kubectl"),
    reconcile: reconcile.fetch,
    close: () => reconcile.close(),
  };
}

/** Answers the same with everything around it: source, Broker and Serving. `sleep` is how retries wait. */
export function createConnectedWorld(options: WorldOptions = {}): ConnectedWorld {
  const world = createWorld(options);
  const { clock = clockOf(Date.now), log = noLog, url = () => "" } = options;
  const stop = new AbortController();
  const now = (): Date => new Date(clock.now());
  const sleep = (milliseconds: number): Promise<void> =>
    after(milliseconds, undefined, { signal: stop.signal });
  const broker = createBroker({
    now,
    sleep,
    deliver: (event) => world.reconcile(requestOf(event, reconcileUrl)),
    deadLetter: ({ subject, knativeerrorcode: code }) =>
      log("warn", "a dead letter", { subject, code }),
  });
  const source = createSource({
    watch: (listener, narrowed) => world.memory.watch(listener, narrowed),
    mode: "Reference",
    resources: watchedResources,
    host: "https://10.96.0.1:443",
    id: randomUUID,
    now,
    sleep,
    send: async (event) => broker.publish(event),
  });
  const serving = createServing({ memory: world.memory, start: startMock(log), url, now, log });
  let changes = 0;
  const stopCounting = world.memory.watch(() => (changes += 1));
  return {
    ...world,
    serving,
    broker,
    settled: async () => {
      let before = -1;
      while (before !== changes) {
        before = changes;
        await source.settled();
        await broker.settled();
        await serving.settled();
      }
    },
    close: async () => {
      stop.abort();
      stopCounting();
      source.stop();
      serving.stop();
      await world.close();
    },
  };
}

/** A mock as the process in a pod would start it, by the same environment. */
function startMock(log: Log): Start {
  return async (definition, environment) => {
    const read = readEnvironment({ ...environment, DEFINITION: environment["DEFINITION"] ?? "" });
    if (typeof read === "string") throw new Error(read);
    const { settings } = read;
    return createMockApp({ compiled: unpack(definition), settings, log, random: Math.random });
  };
}
