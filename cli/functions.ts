import { randomUUID } from "node:crypto";
import { createMockApp } from "../functions/mock/app.ts";
import { readEnvironment } from "../functions/mock/settings.ts";
import { createReconcileApp } from "../functions/reconcile/app.ts";
import type { Outcome } from "../functions/reconcile/outcome.ts";
import { createResyncApp } from "../functions/resync/app.ts";
import { buildOf } from "../lib/build.ts";
import type { Clock } from "../lib/clock.ts";
import { clockOf } from "../lib/clock.ts";
import type { Cluster } from "../lib/cluster/cluster.ts";
import { unpack } from "../lib/compiled/pack.ts";
import type { Compiler } from "../lib/compiler/compilation.ts";
import { createCompiler } from "../lib/compiler/compiler.ts";
import { requestOf } from "../lib/embedded/message.ts";
import type { Start } from "../lib/embedded/pod.ts";
import type { Log } from "../lib/log.ts";
import { noLog } from "../lib/log.ts";
import { createMetrics } from "../lib/metrics.ts";
import type { Key } from "../lib/names.ts";
import { files } from "./files.ts";

/** What may be chosen of the functions; the defaults are those of `apirator dev`. */
export interface FunctionOptions {
  readonly clock?: Clock;
  readonly compiler?: Compiler;
  readonly log?: Log;
  /** Called with the end of each reconcile. */
  readonly ended?: (key: Key, outcome: Outcome) => void;
}

/** The functions `reconcile` and `resync` in this process, on whatever cluster they are given. */
export interface ControlFunctions {
  /** Takes a CloudEvent, answers 204, 503 or 400. */
  readonly reconcile: (request: Request) => Promise<Response>;
  /** The same; its events go straight to `reconcile`. */
  readonly resync: (request: Request) => Promise<Response>;
  /** `status.build` of what this process makes. */
  readonly build: string;
  close(): Promise<void>;
}

/** Address of the function in a cluster; here it is only what requests are made of. */
export const reconcileUrl = "http://reconcile.apirator-system.svc.cluster.local/";

/** Answers the functions on a cluster; `image` is what mocks run. Their compiler is a process of its own. */
export function createFunctions(
  cluster: Cluster,
  image: string,
  options: FunctionOptions,
): ControlFunctions {
  const { clock = clockOf(Date.now), log = noLog, ended } = options;
  const compiler = options.compiler ?? createCompiler({ entry: files.compiler });
  const common = { cluster, clock, log, metrics: createMetrics() };
  const reconcile = createReconcileApp({
    ...common,
    compiler,
    settings: { image },
    ...(ended === undefined ? {} : { ended }),
  });
  const build = buildOf({ image, compiler: compiler.version });
  const resync = createResyncApp({
    ...common,
    metrics: createMetrics(),
    build: () => build,
    post: async (event) => (await reconcile.fetch(requestOf(event, reconcileUrl))).status,
    random: Math.random,
    id: randomUUID,
  });
  return {
    reconcile: async (request) => reconcile.fetch(request),
    resync: async (request) => resync.fetch(request),
    build,
    close: () => compiler.close(),
  };
}

/** Answers what starts a mock as its process in a pod would, from the same environment. */
export function mockStart(log: Log): Start {
  return async (definition, environment) => {
    const read = readEnvironment(environment);
    if (typeof read === "string") throw new Error(read);
    const { settings } = read;
    return createMockApp({ compiled: unpack(definition), settings, log, random: Math.random });
  };
}
