import type { APIMock } from "../../lib/apimock.ts";
import type { ObjectMeta } from "../../lib/cluster/cluster.ts";
import { hashOfConfigMap } from "../../lib/names.ts";
import type { Verdict } from "./verdict.ts";
import type { Workload } from "./workload.ts";

/** The definition that stays in service while another one is refused, or while `watch` is false. */
export interface Held {
  readonly hash: string;
  /** Whether its ConfigMap is there. */
  readonly there: boolean;
}

/**
 * Which compiled definition is to be served.
 * - `present`: that of the spec's text; `insteadOf` names a held one that is gone.
 * - `held`: an older one, because the text is refused or `watch` is false.
 * - `lost`: the held one is gone, and the text cannot replace it.
 * - `nothing`: there never was one.
 */
export type Choice =
  | { readonly kind: "present"; readonly hash: string; readonly insteadOf?: string }
  | { readonly kind: "held" | "lost"; readonly hash: string }
  | { readonly kind: "nothing" };

/**
 * Answers the definition that is held where one must be. While nobody touched the children (`untouched`), they say it: what the template mounts, or
 * after a failed roll-out what is still in service. Else the status says it: a template or a traffic split that was changed by hand must not become
 * what is held. The newest ConfigMap is the last resort.
 */
export function heldOf(
  mock: APIMock,
  workload: Workload,
  by: { untouched: boolean; ours: readonly ObjectMeta[] },
): Held | undefined {
  const hashOf = (name: string | undefined): string | undefined =>
    name === undefined ? undefined : hashOfConfigMap(mock.metadata.name, name);
  const mounted = hashOf(workload.mounted);
  const routed = hashOf(workload.routed[0]);
  const seen = workload.rollout.status === "False" ? (routed ?? mounted) : (mounted ?? routed);
  const noted = mock.status?.definition?.hash;
  const hash = (by.untouched ? seen : (noted ?? seen)) ?? noted ?? hashOf(newest(by.ours)?.name);
  if (hash === undefined) return undefined;
  return { hash, there: by.ours.some(({ name }) => hashOf(name) === hash) };
}

/** Answers whether the text is to be served if it is valid: it is watched, or there is nothing that could be held instead. */
export function isWanted(mock: APIMock, held: Held | undefined): boolean {
  return mock.spec.watch || held?.there !== true;
}

/** Answers what is to be served. A refused text never takes away what was there. */
export function choiceOf(mock: APIMock, verdict: Verdict, held: Held | undefined): Choice {
  const { hash } = verdict;
  if (hash !== undefined && isWanted(mock, held)) {
    const lost = !mock.spec.watch && held !== undefined && held.hash !== hash;
    return lost ? { kind: "present", hash, insteadOf: held.hash } : { kind: "present", hash };
  }
  if (held === undefined) return { kind: "nothing" };
  return { kind: held.there ? "held" : "lost", hash: held.hash };
}

function newest(configMaps: readonly ObjectMeta[]): ObjectMeta | undefined {
  const age = ({ creationTimestamp = "", name }: ObjectMeta): string =>
    `${creationTimestamp} ${name}`;
  return configMaps.toSorted((a, b) => (age(a) < age(b) ? 1 : -1))[0];
}
