import { createReconcileApp } from "../../functions/reconcile/app.ts";
import type { Outcome } from "../../functions/reconcile/outcome.ts";
import type { APIMock } from "../../lib/apimock.ts";
import type { Clock } from "../../lib/clock.ts";
import { resyncEvent } from "../../lib/cloudevent.ts";
import type { Cluster, KubeObject } from "../../lib/cluster/cluster.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import type { Compiler } from "../../lib/compiler/compilation.ts";
import { configurationCrd } from "../../lib/embedded/knative.ts";
import { createMemoryCluster, type MemoryCluster } from "../../lib/embedded/memory.ts";
import { createServing, type Serving } from "../../lib/embedded/serving.ts";
import { noLog } from "../../lib/log.ts";
import { createMetrics } from "../../lib/metrics.ts";
import { keyText } from "../../lib/names.ts";
import { postOf } from "./builders.ts";
import { compilerHere } from "./compiler.ts";
import { countedCluster } from "./counting.ts";
import { apimockCrd } from "./crd.ts";

/** What a stage may be given instead of the defaults. */
export interface StageOptions {
  /** False: nothing plays Knative Serving; KServices keep the status that the test gives them. */
  readonly serving?: boolean;
  /** A stage whose cluster, time and Knative are taken over: another process of the same function. */
  readonly on?: Stage;
  readonly without?: readonly (typeof kinds)[keyof typeof kinds][];
  /** What the function sees of the cluster. */
  readonly around?: (cluster: Cluster) => Cluster;
  readonly compiler?: Compiler;
  /** The image that mocks run. */
  readonly image?: string;
  /** Makes a mock's process fail where it answers a reason. */
  readonly startFailure?: (definition: Uint8Array) => string | undefined;
}

/** A cluster in memory with the function `reconcile` and a stand-in for Knative Serving. Time stands still unless it is moved. */
export interface Stage {
  readonly memory: MemoryCluster;
  readonly compiler: Compiler;
  /** A person with kubectl. */
  readonly user: Cluster;
  readonly calls: string[];
  readonly clock: Clock & { move(milliseconds: number): void };
  readonly app: ReturnType<typeof createReconcileApp>;
  readonly serving: Serving | undefined;
  /** Sends an event about the mock of namespace `default`; answers the HTTP status. */
  reconcile(name: string): Promise<number>;
  /** The same until nothing more is written. */
  settle(name: string): Promise<void>;
  mock(name: string): Promise<APIMock | undefined>;
  get(kind: (typeof kinds)[keyof typeof kinds], name: string): Promise<KubeObject | undefined>;
  /** How the last run of the mock ended. */
  ended(name: string): Outcome | undefined;
  compiled(): number;
}

/** Answers an in-process compiler; it counts in `compiled` what it compiles. */
function testCompiler(version = "test", count = { compiled: 0 }): Compiler {
  return {
    version,
    compile: async (text) => {
      count.compiled += 1;
      return await compilerHere.compile(text);
    },
    close: async () => {},
  };
}

/** Answers a clock that stands still until it is moved; what is due is then called. */
export function testClock(start = Date.parse("2030-01-01T00:00:00Z")): Stage["clock"] {
  let now = start;
  const timers = new Map<object, { at: number; call: () => void }>();
  return {
    now: () => now,
    after: (milliseconds, call) => {
      const id = {};
      timers.set(id, { at: now + milliseconds, call });
      return () => void timers.delete(id);
    },
    move: (milliseconds) => {
      now += milliseconds;
      for (const [id, { at, call }] of timers) {
        if (at > now) continue;
        timers.delete(id);
        call();
      }
    },
  };
}

/** Answers an empty stage. */
export function createStage(options: StageOptions = {}): Stage {
  const clock = options.on?.clock ?? testClock();
  let uids = 0;
  const created = (): MemoryCluster =>
    createMemoryCluster({
      crds: [apimockCrd(), configurationCrd],
      now: () => new Date(clock.now()),
      uid: () => `uid-${(uids += 1)}`,
      ...(options.without ? { without: options.without } : {}),
    });
  const memory = options.on?.memory ?? created();
  const { startFailure = () => undefined } = options;
  const serving =
    options.on !== undefined || options.serving === false
      ? options.on?.serving
      : createServing({
          memory,
          now: () => new Date(clock.now()),
          log: noLog,
          url: ({ namespace, name }) => `http://${name}.${namespace}.example`,
          start: async (definition) => {
            const failure = startFailure(definition);
            if (failure !== undefined) throw new Error(failure);
            return { fetch: () => new Response(null, { status: 204 }) };
          },
        });
  const counted = countedCluster(memory.as("apirator"));
  const count = { compiled: 0 };
  const compiler = options.compiler ?? testCompiler("test", count);
  const ends = new Map<string, Outcome>();
  const app = createReconcileApp({
    cluster: (options.around ?? ((cluster) => cluster))(counted.cluster),
    compiler,
    settings: { image: options.image ?? "apirator:test" },
    clock,
    log: noLog,
    metrics: createMetrics(),
    ended: (key, outcome) => void ends.set(keyText(key), outcome),
  });
  const user = memory.as("kubectl");
  const reconcile = async (name: string): Promise<number> => {
    await serving?.settled();
    const event = resyncEvent(
      { namespace: "default", name },
      { id: "1", time: "2030-01-01T00:00:00Z" },
    );
    const { status } = await app.request(postOf(event));
    await serving?.settled();
    return status;
  };
  return {
    memory,
    compiler,
    user,
    clock,
    app,
    serving,
    calls: counted.calls,
    reconcile,
    settle: async (name) => {
      for (let run = 0; run < 10; run += 1) {
        await reconcile(name);
        const end = ends.get(`default/${name}`);
        if (end === undefined || (end.kind === "done" && end.wrote.length === 0)) return;
      }
      throw new Error(`${name} does not settle`);
    },
    mock: async (name) =>
      (await user.get(kinds.apimock, { namespace: "default", name })) as APIMock | undefined,
    get: async (kind, name) => await user.get(kind, { namespace: "default", name }),
    ended: (name) => ends.get(`default/${name}`),
    compiled: () => count.compiled,
  };
}
