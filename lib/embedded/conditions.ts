/** A condition as Knative and Kubernetes workloads write it into a status. */
export interface WorkloadCondition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime: string;
}

/** A condition before its time is known. */
export type Judgement = Omit<WorkloadCondition, "lastTransitionTime">;

/** Answers the conditions of a status, or none. */
export function conditionsOf(status: unknown): readonly WorkloadCondition[] {
  const { conditions } = (status ?? {}) as { conditions?: readonly WorkloadCondition[] };
  return conditions ?? [];
}

/** Answers the status of one condition, `Unknown` where it is missing. */
export function conditionStatus(status: unknown, type: string): WorkloadCondition["status"] {
  return conditionsOf(status).find((condition) => condition.type === type)?.status ?? "Unknown";
}

/** Answers the judgements as conditions sorted by type; a time changes only where a status flips. `at` is RFC 3339. */
export function timed(
  judgements: readonly Judgement[],
  before: readonly WorkloadCondition[],
  at: string,
): WorkloadCondition[] {
  return judgements
    .toSorted((a, b) => (a.type < b.type ? -1 : 1))
    .map((judgement) => {
      const old = before.find((condition) => condition.type === judgement.type);
      const kept = old?.status === judgement.status;
      return { ...judgement, lastTransitionTime: kept ? old.lastTransitionTime : at };
    });
}
