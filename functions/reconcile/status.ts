import { appliedOf, fingerprint, readApplied, type SharedConfigMap } from "../../lib/applied.ts";
import type { APIMock, APIMockStatus, Condition, DefinitionInService } from "../../lib/apimock.ts";
import { configMapName, hashOfConfigMap } from "../../lib/names.ts";
import { childrenOf, type Left } from "./children.ts";
import type { Choice } from "./choice.ts";
import {
  conditionOf,
  conditionsOf,
  isOpen,
  type Judgement,
  type Judgements,
  messageOf,
  reasons,
} from "./conditions.ts";
import { infoOf } from "./configmap.ts";
import { judgementOn } from "./failure.ts";
import { same } from "./diff.ts";
import { annotationsOf } from "./kservice.ts";
import { ownershipOf } from "./ownership.ts";
import type { Verdict } from "./verdict.ts";
import { noWorkload, type Workload } from "./workload.ts";

/** What a status is made of. */
export interface Findings {
  readonly verdict: Verdict;
  readonly choice: Choice;
  readonly left: Left;
  readonly workload: Workload;
  readonly build: string;
  readonly shared?: SharedConfigMap;
}

/** Answers the status as it follows from what was observed, never from what is desired. `now` is RFC 3339 and goes into new transitions alone. */
export function statusOf(mock: APIMock, found: Findings, now: string): APIMockStatus {
  const { verdict, left, build, shared } = found;
  const own = left.kservice !== undefined && ownershipOf(left.kservice.metadata, mock) === "ours";
  const workload = own ? found.workload : noWorkload;
  const rollout = rolloutOf(mock, { ...found, workload });
  const judgements: Judgements = {
    validated: verdict.validated,
    rollout,
    available: availableOf(mock, { ...found, workload }, rollout),
    ...(mock.spec.ingress === undefined ? {} : { ingress: noIngress }),
  };
  const generation = mock.metadata.generation ?? 0;
  const before = mock.status?.conditions ?? [];
  const definition = definitionOf(mock, left, workload);
  return {
    observedGeneration: generation,
    phase: phaseOf(judgements),
    ...(workload.url === undefined ? {} : { url: workload.url }),
    ...(definition === undefined ? {} : { definition }),
    ...(verdict.source === undefined ? {} : { source: verdict.source }),
    build,
    applied: appliedOf(fingerprint(childrenOf(mock, left), shared), isOpen(judgements)),
    ...(own ? { runtime: "Knative" as const } : {}),
    ...(verdict.findings.length === 0 ? {} : { findings: verdict.findings }),
    conditions: conditionsOf(judgements, before, { generation, now }),
  };
}

/** Answers the status of a mock whose children are left as they are: what is known of them stays, `rollout` says why. */
export function heldStatusOf(mock: APIMock, rollout: Judgement, now: string): APIMockStatus {
  const generation = mock.metadata.generation ?? 0;
  const before = mock.status?.conditions ?? [];
  const judgements: Judgements = {
    validated: keptOf(mock, "Validated", "the definition was not judged"),
    rollout,
    available: mock.status?.definition ? keptOf(mock, "Available", rollout.message) : rollout,
  };
  const { conditions: _, ...known } = mock.status ?? {};
  return {
    ...known,
    observedGeneration: generation,
    phase: phaseOf(judgements),
    applied: appliedOf(readApplied(known.applied).hash, isOpen(judgements)),
    conditions: conditionsOf(judgements, before, { generation, now }),
  };
}

function keptOf(mock: APIMock, type: Condition["type"], message: string): Judgement {
  const before = conditionOf(mock.status?.conditions, type);
  const reason = reasons.find((known) => known === before?.reason);
  if (before === undefined || reason === undefined)
    return { status: "Unknown", reason: "NotJudged", message };
  return { status: before.status, reason, message: before.message };
}

/** Answers whether the status that is there says the same; fields and conditions of others do not count. */
export function isWritten(status: APIMockStatus | undefined, wanted: APIMockStatus): boolean {
  if (status === undefined) return false;
  const { conditions = [], ...rest } = status;
  const ours = ["Validated", "Available", "Ready", "IngressReady"];
  const byType = (list: APIMockStatus["conditions"]): unknown =>
    Object.fromEntries((list ?? []).map((condition) => [condition.type, condition]));
  const { conditions: wantedConditions, ...wantedRest } = wanted;
  return (
    same(rest, wantedRest) &&
    same(byType(conditions.filter(({ type }) => ours.includes(type))), byType(wantedConditions))
  );
}

function rolloutOf(mock: APIMock, { choice, left, workload, verdict }: Findings): Judgement {
  const failure = judgementOn(left.failures);
  if (failure !== undefined) return failure;
  const { name } = mock.metadata;
  if (choice.kind === "nothing")
    return { status: "True", reason: "NothingToServe", message: "nothing is to be rolled out" };
  if (choice.kind === "lost")
    return {
      status: "False",
      reason: "DefinitionLost",
      message: `ConfigMap ${configMapName(name, choice.hash)} is gone, and the definition in the spec cannot replace it; correct the spec`,
    };
  const { status, message } = workload.rollout;
  if (status === "False")
    return {
      status,
      reason: "RolloutFailed",
      message: messageOf(`definition ${choice.hash} does not start: ${message}`),
    };
  const done = workload.routed.every((routed) => routed === configMapName(name, choice.hash));
  if (status === "True" && done && workload.routed.length > 0)
    return { status, reason: "Serving", message: verdict.validated.message };
  if (choice.kind === "present" && choice.insteadOf !== undefined)
    return {
      status: "Unknown",
      reason: "HeldDefinitionLost",
      message: `ConfigMap ${configMapName(name, choice.insteadOf)} of the held definition is gone; definition ${choice.hash} of the spec takes its place`,
    };
  return {
    status: "Unknown",
    reason: "RollingOut",
    message: `definition ${choice.hash} is starting`,
  };
}

function availableOf(
  mock: APIMock,
  { choice, left, workload }: Findings,
  rollout: Judgement,
): Judgement {
  if (workload.routed.length === 0) {
    if (choice.kind === "nothing")
      return { status: "False", reason: "NothingToServe", message: "no definition was valid yet" };
    if (rollout.status === "False") return rollout;
    return { status: "Unknown", reason: "Starting", message: "no process has been ready yet" };
  }
  const there = new Set(left.configMaps.map(({ name }) => name));
  const lost = workload.routed.find((name) => name !== "" && !there.has(name));
  if (lost !== undefined) {
    if (rollout.reason === "DefinitionLost") return rollout;
    const message = `ConfigMap ${lost} of the definition in service is gone`;
    const replaced = choice.kind === "present" && choice.insteadOf !== undefined;
    return { status: "False", reason: replaced ? "HeldDefinitionLost" : "DefinitionLost", message };
  }
  if (workload.serving === "False")
    return {
      status: "False",
      reason: "RolloutFailed",
      message: messageOf(workload.rollout.message || "the workload is not reached"),
    };
  const hash = hashOfConfigMap(mock.metadata.name, workload.routed[0] ?? "") ?? "";
  // A route that is being changed goes on serving as before.
  const before = conditionOf(mock.status?.conditions, "Available")?.status === "True";
  if (hash === "" || (workload.serving === "Unknown" && !before))
    return { status: "Unknown", reason: "Starting", message: "requests are not routed yet" };
  const notes = withoutEffect(mock);
  const message = [`serving definition ${hash}`, ...notes].join("; ");
  return { status: "True", reason: "Serving", message: messageOf(message) };
}

/** What is in service; while nothing is, the last that was stays, because a held definition is known by it. */
function definitionOf(
  mock: APIMock,
  { configMaps }: Left,
  workload: Workload,
): DefinitionInService | undefined {
  const before = mock.status?.definition;
  const routed = workload.routed[0] ?? "";
  const hash = hashOfConfigMap(mock.metadata.name, routed);
  if (hash === undefined) return before;
  const configMap = configMaps.find(({ name }) => name === routed);
  const info = configMap && infoOf(configMap);
  if (info !== undefined) return { hash, ...info };
  return before?.hash === hash ? before : undefined;
}

function phaseOf({
  validated,
  rollout,
  available,
}: Judgements): NonNullable<APIMockStatus["phase"]> {
  const all = [validated, rollout, available];
  if (all.some(({ reason }) => reason === "DefinitionLost")) return "Error";
  if (validated.status === "False") return "Failed";
  if (all.some(({ status }) => status === "False")) return "Error";
  return all.some(({ status }) => status === "Unknown") ? "Pending" : "Running";
}

/** Answers what the spec asks for and Knative has no place for: nothing is ignored silently. */
function withoutEffect(mock: APIMock): string[] {
  const { externalTrafficPolicy } = mock.spec.service;
  const { refused } = annotationsOf(mock);
  return [
    ...(externalTrafficPolicy === undefined
      ? []
      : ["spec.service.externalTrafficPolicy has no effect with runtime Knative"]),
    ...(refused.length === 0
      ? []
      : [`reserved and left out of spec.service.annotations: ${refused.sort().join(", ")}`]),
  ];
}

const noIngress: Judgement = {
  status: "False",
  reason: "UnsupportedWithKnative",
  message:
    "spec.ingress has no effect with runtime Knative; set spec.service.type to LoadBalancer to be reached through Knative's own ingress",
};
