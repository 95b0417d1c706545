import type { Child } from "../../lib/applied.ts";
import type { APIMock } from "../../lib/apimock.ts";
import type { Cluster, KubeObject, ObjectMeta } from "../../lib/cluster/cluster.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import { configMapName } from "../../lib/names.ts";
import type { Choice, Held } from "./choice.ts";
import { type Failure, failureOf } from "./failure.ts";
import { ensureConfigMap, ensureKService, Taken } from "./ensure.ts";
import type { Observation } from "./observation.ts";
import { ownershipOf } from "./ownership.ts";
import type { Settings } from "./settings.ts";
import type { Verdict } from "./verdict.ts";

/** What a run works with. `wrote` gathers what was written, for the outcome. */
export interface Work {
  readonly mock: APIMock;
  readonly seen: Observation;
  readonly cluster: Cluster;
  readonly settings: Settings;
  readonly wrote: string[];
}

/** The children after the writes. */
export interface Left {
  readonly kservice?: KubeObject;
  readonly configMaps: readonly ObjectMeta[];
  readonly failures: readonly Failure[];
  /** Children that had been changed or removed by somebody, and are right again. */
  readonly corrected: readonly string[];
}

/** Answers the mock's own among the ConfigMaps that were seen, and those that nobody owns and it may adopt. */
export function ownConfigMaps(seen: Observation, mock: APIMock): ObjectMeta[] {
  return seen.configMaps.filter((configMap) =>
    ["ours", "orphan"].includes(ownershipOf(configMap, mock)),
  );
}

/** Answers the children that the fingerprint is made of: those that the mock controls. */
export function childrenOf(
  mock: APIMock,
  { kservice, configMaps }: Pick<Left, "kservice" | "configMaps">,
): Child[] {
  const all = [
    ...(kservice ? [{ kind: kinds.kservice, metadata: kservice.metadata }] : []),
    ...configMaps.map((metadata) => ({ kind: kinds.configMap, metadata })),
  ];
  return all.filter(({ metadata }) => ownershipOf(metadata, mock) === "ours");
}

/**
 * Makes the children serve the choice: writes what differs, collects what fails. The workload follows its ConfigMap: where that cannot be had, what
 * is held stays mounted.
 */
export async function writeChildren(
  work: Work,
  choice: Choice,
  by: { verdict: Verdict; held: Held | undefined; untouched: boolean },
): Promise<Left> {
  const own = ownConfigMaps(work.seen, work.mock);
  const before = work.seen.kservice;
  const report: Report = { failures: [], corrected: [] };

  const configMap = await writeConfigMap(work, choice, { ...report, verdict: by.verdict });
  const configMaps = configMap
    ? [...own.filter(({ name }) => name !== configMap.name), configMap]
    : own;
  const hash = hashToMount(choice, by.held, configMap !== undefined);
  // One that would find nothing to mount is not made; one that is there is kept as it should be.
  const unfit = hash === undefined || (choice.kind === "lost" && before === undefined);
  const written = unfit
    ? undefined
    : await attempt(
        `KService ${work.mock.metadata.name}`,
        async () => await ensureKService(work, hash, by.untouched),
        report,
      );
  const kservice = written?.object ?? before;
  return { ...(kservice ? { kservice } : {}), configMaps, ...report };
}

/** What is gathered while children are written. */
interface Report {
  readonly failures: Failure[];
  readonly corrected: string[];
}

async function writeConfigMap(
  work: Work,
  choice: Choice,
  by: Report & { verdict: Verdict },
): Promise<ObjectMeta | undefined> {
  if (choice.kind === "nothing" || choice.kind === "lost") return undefined;
  const name = configMapName(work.mock.metadata.name, choice.hash);
  const written = await attempt(
    `ConfigMap ${name}`,
    async () => await ensureConfigMap(work, name, by.verdict),
    by,
  );
  return written?.metadata;
}

function hashToMount(choice: Choice, held: Held | undefined, there: boolean): string | undefined {
  if (choice.kind === "nothing") return undefined;
  if (there || choice.kind === "lost") return choice.hash;
  return held?.there === true ? held.hash : undefined;
}

async function attempt<Written extends { restored: boolean }>(
  child: string,
  write: () => Promise<Written>,
  { failures, corrected }: Report,
): Promise<Written | undefined> {
  try {
    const written = await write();
    if (written.restored) corrected.push(child);
    return written;
  } catch (error) {
    failures.push(error instanceof Taken ? error.failure(child) : failureOf(child, error));
    return undefined;
  }
}

/** Removes what a mock of this name with another uid left behind; each is a failure to be tried again. */
export async function removeStale({ mock, seen, cluster, wrote }: Work): Promise<Failure[]> {
  const { namespace } = mock.metadata;
  const objects = [
    ...(seen.kservice ? [{ kind: kinds.kservice, metadata: seen.kservice.metadata }] : []),
    ...seen.configMaps.map((metadata) => ({ kind: kinds.configMap, metadata })),
  ].filter(({ metadata }) => ownershipOf(metadata, mock) === "stale");
  const failures: Failure[] = [];
  for (const { kind, metadata } of objects) {
    const child = `${kind === kinds.kservice ? "KService" : kind.kind} ${metadata.name}`;
    try {
      const { uid = "" } = metadata;
      await cluster.remove(kind, { namespace, name: metadata.name }, { uid });
      wrote.push(`removed ${child}`);
      failures.push({ child, class: "again", detail: "was left by another mock of this name" });
    } catch (error) {
      failures.push(failureOf(child, error));
    }
  }
  return failures;
}
