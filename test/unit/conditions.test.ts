import { expect, test } from "vitest";
import {
  conditionsOf,
  type Judgement,
  type Judgements,
  messageOf,
  readyOf,
} from "../../functions/reconcile/conditions.ts";

const judged = (status: Judgement["status"], reason: Judgement["reason"]): Judgement => ({
  status,
  reason,
  message: reason,
});
const well: Judgements = {
  validated: judged("True", "Valid"),
  rollout: judged("True", "Serving"),
  available: judged("True", "Serving"),
};
const refused = judged("False", "DefinitionRefused");
const rolling = judged("Unknown", "RollingOut");
const failing = judged("False", "RolloutFailed");
const starting = judged("Unknown", "Starting");

test.for<{ rule: string; judgements: Partial<Judgements>; ready: string }>([
  { rule: "Ready is what is served where all is well", judgements: {}, ready: "True/Serving" },
  {
    rule: "False beats Unknown",
    judgements: { rollout: rolling, available: failing },
    ready: "False/RolloutFailed",
  },
  {
    rule: "the definition is told first",
    judgements: { validated: refused, rollout: failing },
    ready: "False/DefinitionRefused",
  },
  {
    rule: "what is unknown keeps it from True",
    judgements: { available: starting },
    ready: "Unknown/Starting",
  },
  {
    rule: "an Ingress has no part in it",
    judgements: { ingress: judged("False", "UnsupportedWithKnative") },
    ready: "True/Serving",
  },
])("$rule: $ready", ({ judgements, ready }) => {
  const { status, reason } = readyOf({ ...well, ...judgements });
  expect(`${status}/${reason}`).toBe(ready);
});

test("lastTransitionTime is kept unless the status flips, also where the reason changes", () => {
  const first = conditionsOf(well, [], { generation: 1, now: "2030-01-01T00:00:00Z" });
  const second = conditionsOf(
    { ...well, available: starting, validated: { ...well.validated, message: "1 warning" } },
    first,
    { generation: 2, now: "2031-01-01T00:00:00Z" },
  );
  expect(
    second.map(({ type, lastTransitionTime, observedGeneration }) => [
      type,
      lastTransitionTime.slice(0, 4),
      observedGeneration,
    ]),
  ).toEqual([
    ["Validated", "2030", 2],
    ["Available", "2031", 2],
    ["Ready", "2031", 2],
  ]);
});

test("a message is one line of bearable length", () => {
  expect(messageOf(" a\n  b ")).toBe("a b");
  expect(messageOf("x".repeat(1000))).toHaveLength(500);
});
