import { expect, test } from "vitest";
import { covers, kserviceLists } from "../../functions/reconcile/diff.ts";

test.for<{ rule: string; observed: unknown; desired: unknown; covered: boolean }>([
  { rule: "the same", observed: { a: 1 }, desired: { a: 1 }, covered: true },
  { rule: "more in a map", observed: { a: 1, b: 2 }, desired: { a: 1 }, covered: true },
  { rule: "less in a map", observed: {}, desired: { a: 1 }, covered: false },
  { rule: "another type", observed: { a: "1" }, desired: { a: 1 }, covered: false },
  { rule: "nothing observed", observed: undefined, desired: { a: 1 }, covered: false },
  {
    rule: "more in a map inside an atomic list",
    observed: { containers: [{ name: "a", extra: 1 }] },
    desired: { containers: [{ name: "a" }] },
    covered: false,
  },
  {
    rule: "more items in an atomic list",
    observed: { traffic: [{ percent: 100 }, { percent: 0 }] },
    desired: { traffic: [{ percent: 100 }] },
    covered: false,
  },
  {
    rule: "more items in a keyed list, in any order",
    observed: { volumes: [{ name: "b" }, { name: "a", x: 1, y: 2 }] },
    desired: { volumes: [{ name: "a", x: 1 }] },
    covered: true,
  },
  {
    rule: "a missing item of a keyed list",
    observed: { volumes: [{ name: "b" }] },
    desired: { volumes: [{ name: "a" }] },
    covered: false,
  },
  {
    rule: "a changed item of a keyed list",
    observed: { volumes: [{ name: "a", x: 2 }] },
    desired: { volumes: [{ name: "a", x: 1 }] },
    covered: false,
  },
])("$rule: covered is $covered", ({ observed, desired, covered }) => {
  expect(covers(observed, desired, kserviceLists)).toBe(covered);
});
