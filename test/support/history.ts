import { createResyncApp } from "../../functions/resync/app.ts";
import type { APIMock } from "../../lib/apimock.ts";
import { buildOf } from "../../lib/build.ts";
import { type Event, resyncEvent } from "../../lib/cloudevent.ts";
import type { Cluster, JsonPatch } from "../../lib/cluster/cluster.ts";
import { ClusterError } from "../../lib/cluster/errors.ts";
import { type Kind, kinds } from "../../lib/cluster/kinds.ts";
import type { Compiler } from "../../lib/compiler/compilation.ts";
import { sha256 } from "../../lib/hash.ts";
import { noLog } from "../../lib/log.ts";
import { createMetrics } from "../../lib/metrics.ts";
import { mockOf, postOf, referenceEvent, sharedConfigMap } from "./builders.ts";
import { createStage, type Stage } from "./stage.ts";

/** A definition of a history: the word that it serves, or one that is refused. */
export type Word = "a" | "b" | "c" | "bad";

/** What somebody does to a child by hand. */
export const drifts = [
  "KService removed",
  "KService image",
  "KService traffic",
  "KService volume",
  "KService label",
  "KService owner",
  "ConfigMap removed",
  "ConfigMap label",
  "ConfigMap owner",
  "ConfigMap source",
] as const;

/** One thing that happens. `at` picks among what is there, whatever its number. */
export type Step =
  | { do: "apply"; mock: string; word: Word; watch: boolean; shared: boolean }
  | { do: "delete" | "re-create"; mock: string; word: Word }
  | { do: "share"; word: Word; label: boolean }
  | { do: "drift"; mock: string; what: (typeof drifts)[number]; at: number }
  | { do: "event"; fate: "delivered" | "repeated" | "lost"; at: number }
  | { do: "rest" }
  | { do: "wait"; minutes: number };

/** A world in which events wait until they are delivered. */
export interface World {
  readonly stage: Stage;
  step(step: Step): Promise<void>;
  /** Loses every event that waits, resyncs once, and lets what follows happen. */
  resync(): Promise<void>;
  /** Delivers every event until nothing more happens. */
  rest(): Promise<void>;
  /** Loses every event that waits. */
  lose(): void;
}

/** What a variant of the world lacks, to show that it is needed. */
export interface Lacking {
  /** A reconcile takes the mock as it was when the event was made. */
  readonly reading?: true;
}

const sharedName = "apis";

/** Answers the text of a word. */
export function textOf(word: Word): string {
  return word === "bad" ? "bad" : `good ${word}`;
}

/** Answers the hash of a word's compiled definition. */
export function hashOf(word: Word): string {
  return sha256(textOf(word)).slice(0, 10);
}

/** Answers a compiler for such texts; the real one would take minutes for all the histories. */
function wordCompiler(): Compiler {
  const counts = { error: 0, warning: 0, hint: 0 };
  return {
    version: "words",
    close: async () => {},
    compile: async (text) => {
      if (!text.startsWith("good "))
        return {
          kind: "refused",
          counts: { ...counts, error: 1 },
          findings: [
            {
              severity: "error",
              code: "invalid-text",
              message: "bad",
              line: 1,
              column: 1,
              pointer: "",
            },
          ],
        };
      return {
        kind: "compiled",
        hash: sha256(text).slice(0, 10),
        packed: Buffer.from(text),
        info: { version: "3.0.3", title: text.slice(5), operations: 1 },
        findings: [],
        counts,
      };
    },
  };
}

/** Answers an empty world. */
export function createHistoryWorld(lacking: Lacking = {}): World {
  let known: APIMock | undefined;
  const stage = createStage({
    compiler: wordCompiler(),
    around: (cluster) => (lacking.reading ? rememberedBy(cluster, () => known) : cluster),
  });
  const waiting: { event: Event; mock: APIMock | undefined }[] = [];
  const { user, memory } = stage;

  const told = (object: { apiVersion: string; kind: string; metadata: { name: string } }): void => {
    const { apiVersion, kind, metadata } = object;
    const event = referenceEvent({ apiVersion, kind, namespace: "default", name: metadata.name });
    waiting.push({ event, mock: kind === "APIMock" ? (object as APIMock) : undefined });
  };
  const watched = [
    { kind: kinds.apimock },
    { kind: kinds.kservice, labelSelector: "apirator.io/mock" },
    { kind: kinds.configMap, labelSelector: "apirator.io/mock" },
    { kind: kinds.configMap, labelSelector: "apirator.io/definition=true" },
  ];
  for (const options of watched) memory.watch(({ object }) => told(object), options);

  const deliver = async ({ event, mock }: (typeof waiting)[number]): Promise<number> => {
    known = mock ?? known;
    const { status } = await stage.app.request(postOf(event));
    await stage.serving?.settled();
    return status;
  };

  const rest = async (): Promise<void> => {
    for (let turn = 0; turn < 400; turn += 1) {
      const next = waiting.shift();
      if (next === undefined) return;
      if ((await deliver(next)) === 503) waiting.push(next);
    }
    throw new Error("the world does not come to rest");
  };

  const step = async (step: Step): Promise<void> => {
    switch (step.do) {
      case "apply":
        await user.apply(mockOf(step.mock, specOf(step)));
        break;
      case "delete":
        await adopted(stage, step.mock);
        await user.remove(kinds.apimock, at(step.mock), {});
        break;
      case "re-create":
        await adopted(stage, step.mock);
        await user.remove(kinds.apimock, at(step.mock), {});
        await user.apply(mockOf(step.mock, { definition: textOf(step.word) }));
        break;
      case "share":
        await user.apply(sharedOf(step.word, step.label));
        break;
      case "drift":
        await drift(user, step);
        break;
      case "event": {
        const index = waiting.length === 0 ? 0 : step.at % waiting.length;
        const chosen = waiting[index];
        if (chosen === undefined) break;
        if (step.fate !== "repeated") waiting.splice(index, 1);
        if (step.fate !== "lost" && (await deliver(chosen)) === 503) waiting.push(chosen);
        break;
      }
      case "rest":
        await rest();
        break;
      case "wait":
        stage.clock.move(step.minutes * 60_000);
        break;
    }
    await stage.serving?.settled();
  };

  const resync = async (): Promise<void> => {
    waiting.length = 0;
    const app = createResyncApp({
      cluster: memory.as("resync"),
      build: () => buildOf({ image: "apirator:test", compiler: "words" }),
      post: async (event) => (await stage.app.request(postOf(event))).status,
      clock: stage.clock,
      random: () => 0,
      id: () => "id",
      log: noLog,
      metrics: createMetrics(),
    });
    const event = {
      ...resyncEvent(at("resync"), { id: "1", time: "2030-01-01T00:00:00Z" }),
      data: {},
    };
    await app.request(postOf(event));
    await stage.serving?.settled();
    await rest();
  };
  return { stage, step, resync, rest, lose: () => void (waiting.length = 0) };
}

/**
 * Before a mock is deleted, its children without an owner are taken back by it, or taken down: they would outlive it (no garbage collector may have
 * them), the next mock of that name would adopt them, and with `watch: false` it would hold what no spec of its own ever said.
 */
async function adopted(stage: Stage, mock: string): Promise<void> {
  if ((await orphansOf(stage, mock)).length === 0) return;
  await stage.reconcile(mock);
  // One that is desired no more is adopted by nobody: who took it from its owner takes it down.
  for (const [kind, name] of await orphansOf(stage, mock))
    await stage.user.remove(kind, { namespace: "default", name }, {});
}

async function orphansOf(
  stage: Stage,
  mock: string,
): Promise<(readonly [kind: Kind, name: string])[]> {
  const labelSelector = `apirator.io/mock=${mock}`;
  const lists = [kinds.kservice, kinds.configMap].map(async (kind) => {
    const { items } = await stage.user.listMetadata(kind, { labelSelector });
    const orphans = items.filter((child) => !child.ownerReferences?.length);
    return orphans.map(({ name }) => [kind, name] as const);
  });
  return (await Promise.all(lists)).flat();
}

/** Answers the spec that a step applies. */
function specOf({
  word,
  watch,
  shared,
}: Omit<Extract<Step, { do: "apply" }>, "do" | "mock">): Parameters<typeof mockOf>[1] {
  const from = { configMapKeyRef: { name: sharedName, key: "text" } };
  return shared ? { definitionFrom: from, watch } : { definition: textOf(word), watch };
}

/** Answers the ConfigMap that mocks may share. */
function sharedOf(word: Word, label: boolean): ReturnType<typeof sharedConfigMap> {
  return sharedConfigMap(sharedName, { data: { text: textOf(word) } }, label ? undefined : {});
}

function at(name: string): { namespace: string; name: string } {
  return { namespace: "default", name };
}

async function drift(
  user: Cluster,
  { mock, what, at: index }: Extract<Step, { do: "drift" }>,
): Promise<void> {
  const own = await user.listMetadata(kinds.configMap, {
    labelSelector: `apirator.io/mock=${mock}`,
  });
  const configMap = own.items[index % Math.max(1, own.items.length)]?.name ?? "none";
  const spec = "/spec/template/spec";
  const patches: Readonly<Partial<Record<typeof what, JsonPatch[]>>> = {
    "KService image": [{ op: "replace", path: `${spec}/containers/0/image`, value: "evil" }],
    "KService traffic": [
      {
        op: "replace",
        path: "/spec/traffic",
        value: [{ revisionName: `${mock}-00001`, percent: 100 }],
      },
    ],
    "KService volume": [
      { op: "replace", path: `${spec}/volumes/0/configMap/name`, value: configMap },
    ],
    "KService label": [{ op: "remove", path: "/metadata/labels/app.kubernetes.io~1component" }],
    "ConfigMap label": [{ op: "remove", path: "/metadata/labels/apirator.io~1mock" }],
    "ConfigMap source": [{ op: "remove", path: "/metadata/annotations/apirator.io~1source" }],
  };
  const kind = what.startsWith("KService") ? kinds.kservice : kinds.configMap;
  const key = at(kind === kinds.kservice ? mock : configMap);
  const owner: JsonPatch[] = [{ op: "remove", path: "/metadata/ownerReferences" }];
  try {
    // What has lost its owner and the mock's label is nobody's, by rule (NameTaken): no reconcile may take it back.
    const { ownerReferences, labels } = (await user.get(kind, key))?.metadata ?? {};
    if (what === "ConfigMap owner" && labels?.["apirator.io/mock"] === undefined) return;
    if (what === "ConfigMap label" && ownerReferences === undefined) return;
    if (what.endsWith("removed")) await user.remove(kind, key, {});
    else await user.patch(kind, key, patches[what] ?? owner);
  } catch (error) {
    // There was nothing to change.
    if (!(error instanceof ClusterError)) throw error;
  }
}

function rememberedBy(cluster: Cluster, known: () => APIMock | undefined): Cluster {
  return {
    ...cluster,
    get: async (kind, key) => {
      const live = await cluster.get(kind, key);
      const remembered = known();
      return kind === kinds.apimock && remembered?.metadata.name === key.name ? remembered : live;
    },
  };
}
