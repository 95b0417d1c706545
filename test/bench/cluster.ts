import { auditedCalls, writesOf } from "../cluster/support/audit.ts";
import { apply, get, remove, until } from "../cluster/support/kube.ts";
import {
  answered,
  ask,
  atRest,
  helloOf,
  hostOf,
  mockOf,
  openStage,
  type Stage,
} from "./cluster-stage.ts";
import { median, type Measure } from "./measure.ts";

const reconcile = "apirator-system/reconcile";
/** Pairs of a mock and a static program that are called after each rest: a rest takes a minute, a call a second. */
const pairs = [1, 2, 3];
const states = ["asleep", "awake"] as const;
type State = (typeof states)[number];

/** What was seen, in milliseconds, and in calls. */
interface Seen {
  readonly mock: number[];
  readonly hello: number[];
  readonly edit: Record<State, number[]>;
  readonly made: Record<State, number[]>;
  readonly status: Record<State, number[]>;
  readonly calls: number[];
  readonly writes: number[];
}

/**
 * Measures on the cluster of KUBECONFIG: a cold answer of a mock against that of a static program, one after the other in changing order, and the time from
 * an apply to the first new answer and to the status, with `reconcile` at zero and awake. A round waits until all of it is at zero again, twice.
 */
export async function onCluster(
  rounds: number,
  progress: (line: string) => void,
): Promise<Measure[]> {
  const stage = await openStage();
  const seen: Seen = {
    mock: [],
    hello: [],
    edit: { asleep: [], awake: [] },
    made: { asleep: [], awake: [] },
    status: { asleep: [], awake: [] },
    calls: [],
    writes: [],
  };
  try {
    progress("cluster: mocks and static programs");
    await prepare(stage);
    for (let round = 0; round < rounds; round += 1) {
      const at = `cluster: round ${round + 1} of ${rounds}`;
      progress(`${at}, waiting for zero`);
      await sleeping(stage);
      await coldAnswers(stage, seen, round);
      progress(`${at}, edits`);
      await edit(stage, seen, "asleep", `${round}a`);
      await edit(stage, seen, "awake", `${round}b`);
      await make(stage, seen, "awake", `new-${round}b`);
      await nothingToDo(stage, seen, round);
      progress(`${at}, waiting for zero again`);
      await sleeping(stage);
      await make(stage, seen, "asleep", `new-${round}a`);
    }
  } finally {
    await stage.close();
  }
  return measuresOf(seen);
}

async function prepare({ namespace, cluster }: Stage): Promise<void> {
  for (const pair of pairs) {
    await apply(helloOf(namespace, `hello-${pair}`));
    await cluster.apply(mockOf(namespace, `mock-${pair}`, "1"));
  }
  // One pod at least: a cold start of the old definition is no part of an edit.
  await cluster.apply(mockOf(namespace, "edited", "first", 1));
  for (const [name, text] of [
    ...pairs.map((pair) => [`hello-${pair}`, "hello"] as const),
    ...pairs.map((pair) => [`mock-${pair}`, "1"] as const),
    ["edited", "first"] as const,
  ])
    await answered(hostOf(namespace, name), text, performance.now());
}

async function sleeping({ namespace }: Stage): Promise<void> {
  const names = pairs.flatMap((pair) => [`hello-${pair}`, `mock-${pair}`]);
  await atRest([...names.map((name) => `${namespace}/${name}`), reconcile]);
}

async function coldAnswers({ namespace }: Stage, seen: Seen, round: number): Promise<void> {
  const both = ["hello", "mock"] as const;
  for (const pair of pairs)
    for (const which of (round + pair) % 2 === 0 ? both : both.toReversed()) {
      const start = performance.now();
      const { status } = await ask(hostOf(namespace, `${which}-${pair}`), "/version");
      if (status !== 200) throw new Error(`${which} answered ${status} to its first request`);
      seen[which].push(performance.now() - start);
      // What a new pod goes on doing is no part of the next one's start; by no whole second, because the kubelet beats one.
      await new Promise((wake) => setTimeout(wake, 2300));
    }
}

/** Changes the mock's definition, and waits for the first answer of the new one. */
async function edit(stage: Stage, seen: Seen, state: State, version: string): Promise<void> {
  const { namespace, cluster } = stage;
  const start = performance.now();
  const since = Date.now();
  await cluster.apply(mockOf(namespace, "edited", version, 1));
  seen.edit[state].push(await answered(hostOf(namespace, "edited"), `"${version}"`, start));
  seen.status[state].push(statusWritten(namespace, "edited", since) - since);
  await settled(namespace, "edited");
}

/** Makes another mock, waits for its first answer, and takes it away again. */
async function make(stage: Stage, seen: Seen, state: State, name: string): Promise<void> {
  const { namespace, cluster } = stage;
  const start = performance.now();
  await cluster.apply(mockOf(namespace, name, name));
  seen.made[state].push(await answered(hostOf(namespace, name), name, start));
  await settled(namespace, name);
  await remove("apimock", namespace, name);
}

/** Gives the mock an annotation that nobody reads: one event, one reconcile. */
async function nothingToDo({ namespace, cluster }: Stage, seen: Seen, round: number) {
  await new Promise((wake) => setTimeout(wake, 3000));
  const since = Date.now();
  const mock = mockOf(namespace, "mock-1", "1");
  const annotations = { "example.com/round": String(round) };
  await cluster.apply({ ...mock, metadata: { ...mock.metadata, annotations } });
  await new Promise((wake) => setTimeout(wake, 3000));
  const calls = callsIn(namespace, since);
  seen.calls.push(calls.length);
  seen.writes.push(writesOf(calls).length);
}

function callsIn(namespace: string, since: number) {
  return auditedCalls(since).filter(
    (call) => call.who === "reconcile" && call.namespace === namespace,
  );
}

/** Answers when the status of the mock was first written after the instant. */
function statusWritten(namespace: string, name: string, since: number): number {
  const write = callsIn(namespace, since).find(
    (call) => call.resource === "apimocks.apirator.io/status" && call.name === name,
  );
  return write?.time ?? Number.NaN;
}

async function settled(namespace: string, name: string): Promise<void> {
  await until(
    `${namespace}/${name} Ready`,
    120,
    async () => await get("apimock", namespace, name),
    ({ status, metadata }) =>
      status?.observedGeneration === metadata.generation && status.phase === "Running",
  );
}

function measuresOf(seen: Seen): Measure[] {
  const limits: Record<State, number> = { asleep: 5000, awake: 3000 };
  const against = (most: number) => ({ other: most, against: "at most", budget: { most: 1 } });
  const alone = { other: Number.NaN, against: "", ratio: Number.NaN };
  const cold = { ours: median(seen.mock), other: median(seen.hello) };
  const calls = Math.max(...seen.calls);
  return [
    {
      name: "cluster: first answer of a mock at zero",
      unit: "ms",
      ...cold,
      against: "static",
      ratio: cold.ours / cold.other,
      budget: { most: 1.15 },
    },
    ...states.map((state) => {
      const ours = median(seen.edit[state]);
      const most = limits[state];
      const name = `cluster: apply of an edit to its first answer, reconcile ${state}`;
      return { name, unit: "ms", ours, ratio: ours / most, ...against(most) };
    }),
    ...states.map((state) => ({
      name: `cluster: apply of a new mock to its first answer, reconcile ${state}`,
      unit: "ms",
      ours: median(seen.made[state]),
      ...alone,
    })),
    ...states.map((state) => ({
      name: `cluster: apply of an edit to its first status, reconcile ${state}`,
      unit: "ms",
      ours: median(seen.status[state]),
      ...alone,
    })),
    {
      name: "cluster: reconcile with nothing to do",
      unit: "calls",
      ours: calls,
      ratio: calls / 4,
      ...against(4),
    },
    {
      name: "cluster: reconcile with nothing to do",
      unit: "writes",
      ours: Math.max(...seen.writes),
      ...alone,
      budget: { most: 0 },
      ratio: Math.max(...seen.writes),
    },
  ];
}
