import { expect, test } from "vitest";
import { mockOf } from "../support/builders.ts";
import { writesOf } from "../support/counting.ts";
import { createStage } from "../support/stage.ts";

test("a new mock serves after two runs, and a third has nothing to do", async () => {
  const stage = createStage();
  await stage.user.apply(mockOf("bets"));
  expect(await stage.reconcile("bets")).toBe(204);
  expect(await stage.reconcile("bets")).toBe(204);
  stage.calls.length = 0;
  expect(await stage.reconcile("bets")).toBe(204);
  expect(writesOf(stage.calls)).toEqual([]);
});
