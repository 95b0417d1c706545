import type { Condition } from "../../lib/apimock.ts";

/** Every machine reason of a condition; each is explained in `docs/errors.md`. */
export const reasons = [
  "Valid",
  "DefinitionRefused",
  "CompileTimeout",
  "NotJudged",
  "Serving",
  "Starting",
  "NothingToServe",
  "RollingOut",
  "RolloutFailed",
  "DefinitionLost",
  "HeldDefinitionLost",
  "NameTaken",
  "ChildRefused",
  "Forbidden",
  "KnativeMissing",
  "RuntimeNotSupported",
  "UnsupportedWithKnative",
] as const;

/** A machine reason. */
export type Reason = (typeof reasons)[number];

/** A condition before it is dated. The message says what, where and what to do, on one line, and is the same while nothing changes. */
export interface Judgement {
  readonly status: Condition["status"];
  readonly reason: Reason;
  readonly message: string;
}

/** What Ready is computed from. `rollout` is no condition of its own: it says whether what is desired is what runs. */
export interface Judgements {
  readonly validated: Judgement;
  readonly rollout: Judgement;
  readonly available: Judgement;
  /** Beside Ready: there only where it was asked for. */
  readonly ingress?: Judgement;
}

/** The declared dependents of Ready, the most telling first. */
const dependents = ["validated", "rollout", "available"] as const;

/** Reasons that pass by themselves or by somebody's hand without an event of ours: each resync tries again. */
const open: ReadonlySet<Reason> = new Set<Reason>([
  "CompileTimeout",
  "DefinitionLost",
  "NameTaken",
  "ChildRefused",
  "Forbidden",
  "KnativeMissing",
]);

/** Answers whether a later look may find more to do; Ready alone would hide it where the definition is refused too. */
export function isOpen(judgements: Judgements): boolean {
  return dependents.some((name) => open.has(judgements[name].reason));
}

/** Answers Ready: the first False dependent, else the first Unknown one, else what is served. Never set in any other way. */
export function readyOf(judgements: Judgements): Judgement {
  const all = dependents.map((name) => judgements[name]);
  return (
    all.find(({ status }) => status === "False") ??
    all.find(({ status }) => status === "Unknown") ??
    judgements.available
  );
}

/**
 * Answers the list of conditions as the status holds it. `lastTransitionTime` is `now` (RFC 3339) only where the status differs from the one
 * before.
 */
export function conditionsOf(
  judgements: Judgements,
  before: readonly Condition[],
  at: { generation: number; now: string },
): Condition[] {
  const entries: [Condition["type"], Judgement | undefined][] = [
    ["Validated", judgements.validated],
    ["Available", judgements.available],
    ["Ready", readyOf(judgements)],
    ["IngressReady", judgements.ingress],
  ];
  return entries.flatMap(([type, judgement]) => {
    if (judgement === undefined) return [];
    const old = before.find((condition) => condition.type === type);
    const kept = old?.status === judgement.status ? old.lastTransitionTime : at.now;
    return [{ type, ...judgement, observedGeneration: at.generation, lastTransitionTime: kept }];
  });
}

/** Answers the condition of that type, or undefined. */
export function conditionOf(
  conditions: readonly Condition[] | undefined,
  type: Condition["type"],
): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Answers the message on one line and of a length that a table bears. */
export function messageOf(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 500 ? `${line.slice(0, 499)}…` : line;
}
