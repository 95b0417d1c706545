import { expect, test } from "vitest";
import { needOf } from "../../functions/resync/checks.ts";
import type { MockRow } from "../../functions/resync/rows.ts";
import { appliedOf, fingerprint } from "../../lib/applied.ts";
import { kinds } from "../../lib/cluster/kinds.ts";

const child = { kind: kinds.kservice, metadata: { name: "bets", uid: "u", generation: 1 } };

const refused: MockRow = {
  namespace: "default",
  name: "bets",
  uid: "mock",
  generation: 2,
  observed: 2,
  ready: "False",
  available: "True",
  reason: "DefinitionRefused",
  phase: "Failed",
  url: "",
  build: "b",
  applied: fingerprint([child]),
  definitionFrom: "",
};

const states = ["True", "False", "Unknown"];

test.for(states.flatMap((available) => states.map((workload) => [available, workload] as const)))(
  "a refused definition hides no workload: told as %s, it is %s",
  ([available, ready]) => {
    const children = [{ owner: "mock", child, ready, url: "", marked: true }];
    const { need } = needOf({ mock: { ...refused, available }, children }, "b");
    expect(need).toBe(available === ready ? "nothing" : "work");
  },
);

test("a mock that was left open is asked about, whatever Ready says", () => {
  const mock = { ...refused, applied: appliedOf(refused.applied, true) };
  const children = [{ owner: "mock", child, ready: "True", url: "", marked: true }];
  expect(needOf({ mock, children }, "b")).toEqual({ need: "work", why: ["WorthAnotherTry"] });
});
