import { expect, test } from "vitest";
import { definitionText, mockOf } from "../support/builders.ts";
import { createStage, type Stage } from "../support/stage.ts";

/** Answers a definition with 30 operations of the same id, of which the last `errors` refer to what does not exist. */
function textWith(errors: number): string {
  const paths: Record<string, unknown> = {};
  for (let index = 0; index < 30; index += 1) {
    const isBad = index >= 30 - errors;
    const schema = isBad ? { $ref: `#/components/schemas/No${index}` } : { type: "string" };
    const content = { "application/json": { schema } };
    const get = { operationId: "same", responses: { 200: { description: "ok", content } } };
    paths[`/p${index}`] = { get };
  }
  const info = { title: "Many", version: "1" };
  return JSON.stringify({ openapi: "3.0.3", info, paths });
}

async function settled(spec: Parameters<typeof mockOf>[1]): Promise<Stage> {
  const stage = createStage();
  await stage.user.apply(mockOf("bets", spec));
  await stage.settle("bets");
  return stage;
}

test.for([
  {
    errors: 25,
    told: ["20 error"],
    says: /^25 errors, the first: line 1, column \d+; 29 warnings$/,
  },
  {
    errors: 1,
    told: ["1 error", "19 warning"],
    says: /^1 error: line 1, column \d+; 29 warnings$/,
  },
  { errors: 0, told: ["20 warning"], says: /^29 warnings$/ },
])(
  "of $errors errors and 29 warnings the first twenty are told, errors first, and all are counted",
  async ({ errors, told, says }) => {
    const stage = await settled({ definition: textWith(errors) });
    const { status } = (await stage.mock("bets")) ?? {};
    const severities = status?.findings?.map(({ severity }) => severity) ?? [];
    const runs = [...new Set(severities)].map(
      (severity) => `${severities.filter((each) => each === severity).length} ${severity}`,
    );
    expect(runs).toEqual(told);
    expect(severities).toEqual(severities.toSorted());
    const validated = status?.conditions?.find(({ type }) => type === "Validated");
    expect(validated?.message).toMatch(says);
  },
);

test.for([
  { what: "a good edit", spec: { definition: definitionText("two") } },
  { what: "a bad edit, while an older definition serves", spec: { definition: textWith(1) } },
  { what: "an edit that is held", spec: { definition: definitionText("two"), watch: false } },
  { what: "a runtime that is not served", spec: { runtime: "Deployment" as const } },
])("after $what every condition speaks of the generation that was observed", async ({ spec }) => {
  const stage = await settled({ ingress: { hostname: "bets.example" } });
  await stage.user.apply(mockOf("bets", spec));
  await stage.settle("bets");
  const { status, metadata } = (await stage.mock("bets")) ?? {};
  expect(metadata?.generation).toBe(2);
  expect(status?.observedGeneration).toBe(2);
  const told = status?.conditions?.map(({ type, observedGeneration: of }) => `${type} ${of}`);
  expect(told).toEqual(["Validated 2", "Available 2", "Ready 2"]);
});
