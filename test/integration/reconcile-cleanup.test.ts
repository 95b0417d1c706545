import { expect, test } from "vitest";
import type { APIMock } from "../../lib/apimock.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import { definitionText, mockOf } from "../support/builders.ts";
import { createStage, type Stage } from "../support/stage.ts";

const minute = 60_000;
const words = ["one", "two", "three", "four", "five", "six"];

async function edited(stage: Stage, definition: string): Promise<void> {
  await stage.user.apply(mockOf("bets", { definition }));
  await stage.settle("bets");
}

const revisions = async (stage: Stage): Promise<string[]> =>
  (await stage.user.list(kinds.revision, {})).items.map(({ metadata }) => metadata.name);

const configMaps = async (stage: Stage): Promise<number> =>
  (await stage.user.listMetadata(kinds.configMap, {})).items.length;

test("after six edits and a rest, three Revisions and their ConfigMaps are left", async () => {
  const stage = createStage();
  for (const word of words) await edited(stage, definitionText(word));
  expect(await revisions(stage)).toHaveLength(6);
  await stage.settle("bets");
  expect(await revisions(stage)).toHaveLength(6);
  stage.clock.move(11 * minute);
  await stage.settle("bets");
  expect(await revisions(stage)).toEqual(["bets-00004", "bets-00005", "bets-00006"]);
  expect(await configMaps(stage)).toBe(3);
  expect((await stage.mock("bets"))?.status).toMatchObject({ definition: { title: "API of six" } });
});

test("a ConfigMap goes in a later run than the Revision that mounted it", async () => {
  const stage = createStage();
  for (const word of words.slice(0, 4)) await edited(stage, definitionText(word));
  stage.clock.move(11 * minute);
  await stage.reconcile("bets");
  expect(await revisions(stage)).toHaveLength(3);
  expect(await configMaps(stage)).toBe(4);
  await stage.reconcile("bets");
  expect(await configMaps(stage)).toBe(3);
});

test("failed roll-outs never cost the Revision that serves, nor its ConfigMap", async () => {
  let good = "";
  const stage = createStage({
    startFailure: (definition) => {
      const text = Buffer.from(definition).toString("base64");
      good ||= text;
      return text === good ? undefined : "it does not start";
    },
  });
  for (const word of words) await edited(stage, definitionText(word));
  stage.clock.move(60 * minute);
  await stage.settle("bets");
  const { status } = (await stage.mock("bets")) as APIMock;
  expect(status).toMatchObject({ phase: "Error", definition: { title: "API of one" } });
  expect(await revisions(stage)).toContain("bets-00001");
  expect(await stage.get(kinds.configMap, `bets-${status?.definition?.hash}`)).toBeDefined();
  expect(status?.conditions?.[1]).toMatchObject({ type: "Available", status: "True" });
});

test("Revisions of a KService that is somebody else's stay", async () => {
  const stage = createStage();
  await stage.user.apply({
    apiVersion: "serving.knative.dev/v1",
    kind: "Service",
    metadata: { name: "bets", namespace: "default" },
    spec: { template: { spec: { containers: [{ image: "theirs" }] } } },
  });
  await stage.serving?.settled();
  const before = await revisions(stage);
  await stage.user.apply(mockOf("bets"));
  stage.clock.move(60 * minute);
  await stage.settle("bets");
  expect(before).not.toEqual([]);
  expect(await revisions(stage)).toEqual(before);
});

test("a removal is bound to what was seen: a Revision that is routed again stays", async () => {
  const stage = createStage();
  for (const word of words) await edited(stage, definitionText(word));
  stage.clock.move(11 * minute);
  const racing = createStage({
    on: stage,
    around: (cluster) => ({
      ...cluster,
      remove: async (kind, key, preconditions) => {
        if (kind === kinds.revision)
          await stage.user.patch(kind, key, [
            {
              op: "add",
              path: "/metadata/labels/serving.knative.dev~1routingState",
              value: "active",
            },
          ]);
        await cluster.remove(kind, key, preconditions);
      },
    }),
  });
  expect(await racing.reconcile("bets")).toBe(204);
  expect(await revisions(stage)).toHaveLength(6);
});
