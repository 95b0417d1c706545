import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";
import { parse } from "yaml";
import { clockOf } from "../lib/clock.ts";
import type { Cluster } from "../lib/cluster/cluster.ts";
import type { Broker } from "../lib/embedded/broker.ts";
import { createBroker } from "../lib/embedded/broker.ts";
import { createDeployments } from "../lib/embedded/deployments.ts";
import { configurationCrd } from "../lib/embedded/knative.ts";
import type { MemoryCluster } from "../lib/embedded/memory.ts";
import { createMemoryCluster } from "../lib/embedded/memory.ts";
import { requestOf } from "../lib/embedded/message.ts";
import type { Serving } from "../lib/embedded/serving.ts";
import { createServing } from "../lib/embedded/serving.ts";
import type { Source } from "../lib/embedded/source.ts";
import { createSource } from "../lib/embedded/source.ts";
import { noLog } from "../lib/log.ts";
import type { Key } from "../lib/names.ts";
import { manager } from "../lib/names.ts";
import { files } from "./files.ts";
import type { ControlFunctions, FunctionOptions } from "./functions.ts";
import { createFunctions, mockStart, reconcileUrl } from "./functions.ts";
import { watchedResources } from "./watched.ts";

/** What may be chosen of a world; the defaults are those of `apirator dev`. */
export interface WorldOptions extends FunctionOptions {
  /** Where a mock answers, without a slash at the end. */
  readonly url?: (key: Key) => string;
  readonly uid?: () => string;
}

/** The operator on a cluster in memory: the functions are the real ones, what is around them stands in for Kubernetes and Knative. */
export interface World extends ControlFunctions {
  readonly memory: MemoryCluster;
  /** The cluster as a user of kubectl sees it. */
  readonly user: Cluster;
}

/** A world in which changes become events, and KServices and Deployments run. */
export interface ConnectedWorld extends World {
  readonly source: Source;
  readonly broker: Broker;
  /** Sends a request to the mock of a key, whatever runs it; undefined where nothing does. */
  readonly fetch: Serving["fetch"];
  /** One tick of the PingSource: asks `resync` to find the mocks that need work. */
  readonly tick: () => Promise<void>;
  /** Resolves when no event is under way and nothing is being started: the world is at rest. */
  readonly settled: () => Promise<void>;
}

/** Answers the operator on an empty cluster in memory. Nothing but what is sent to its functions makes it work. */
export function createWorld(options: WorldOptions = {}): World {
  const { clock = clockOf(Date.now) } = options;
  const memory = createMemoryCluster({
    crds: [parse(readFileSync(files.crd, "utf8")) as unknown, configurationCrd],
    now: () => new Date(clock.now()),
    uid: options.uid ?? randomUUID,
  });
  const functions = createFunctions(memory.as(manager), "apirator", options);
  return { ...functions, memory, user: memory.as("kubectl") };
}

/** Answers the same with everything around it: source, Broker, Serving and the Deployment controller. */
export function createConnectedWorld(options: WorldOptions = {}): ConnectedWorld {
  const world = createWorld(options);
  const { clock = clockOf(Date.now), log = noLog, url = () => "" } = options;
  const stop = new AbortController();
  const now = (): Date => new Date(clock.now());
  const sleep = (milliseconds: number): Promise<void> =>
    after(milliseconds, undefined, { signal: stop.signal });
  const broker = createBroker({
    subscriber: reconcileUrl,
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
  const parts = { memory: world.memory, start: mockStart(log), now, log };
  const serving = createServing({ ...parts, url });
  const deployments = createDeployments(parts);
  let changes = 0;
  const stopCounting = world.memory.watch(() => (changes += 1));
  return {
    ...world,
    source,
    broker,
    fetch: (key, request, env) =>
      serving.fetch(key, request, env) ?? deployments.fetch(key, request, env),
    tick: async () => {
      const ping = {
        specversion: "1.0",
        id: randomUUID(),
        type: "dev.knative.sources.ping",
        source: "/apis/v1/namespaces/apirator-system/pingsources/resync",
        time: now().toISOString(),
        datacontenttype: "application/json",
        data: {},
      };
      await world.resync(requestOf(ping, "http://resync.apirator-system.svc.cluster.local/"));
    },
    settled: async () => {
      let before = -1;
      while (before !== changes) {
        before = changes;
        await source.settled();
        await broker.settled();
        await serving.settled();
        await deployments.settled();
      }
    },
    close: async () => {
      stop.abort();
      stopCounting();
      source.stop();
      serving.stop();
      deployments.stop();
      await world.close();
    },
  };
}
