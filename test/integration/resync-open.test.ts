import { expect, test } from "vitest";
import type { APIMock } from "../../lib/apimock.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import { mockOf } from "../support/builders.ts";
import { createHistoryWorld, hashOf, textOf, type World } from "../support/history.ts";

/** Answers Ready and Available of the mock `bets`, with their reasons. */
async function lineOf(world: World): Promise<string> {
  const { status } = (await world.stage.mock("bets")) as APIMock;
  const of = (wanted: string): string => {
    const found = status?.conditions?.find(({ type }) => type === wanted);
    return `${wanted}=${found?.status}/${found?.reason}`;
  };
  return `${of("Ready")} ${of("Available")}`;
}

async function serving(text: string): Promise<World> {
  const world = createHistoryWorld();
  await world.stage.user.apply(mockOf("bets", { definition: text }));
  await world.rest();
  return world;
}

async function loseConfigMap(world: World, name: string): Promise<void> {
  await world.stage.user.remove(kinds.configMap, { namespace: "default", name }, {});
}

test("a definition that was lost while its successor was starting is asked about until that serves", async () => {
  const world = await serving(textOf("a"));
  await loseConfigMap(world, `bets-${hashOf("a")}`);
  await world.stage.user.apply(mockOf("bets", { definition: textOf("b") }));
  await world.stage.reconcile("bets");
  expect(await lineOf(world)).toBe("Ready=False/DefinitionLost Available=False/DefinitionLost");
  await world.resync();
  expect(await lineOf(world)).toBe("Ready=True/Serving Available=True/Serving");
});

test("a name that is taken is asked about also while the definition is refused", async () => {
  const world = await serving(textOf("a"));
  const { user } = world.stage;
  const own = await world.stage.get(kinds.kservice, "bets");
  await user.remove(kinds.kservice, { namespace: "default", name: "bets" }, {});
  await user.apply({
    apiVersion: "serving.knative.dev/v1",
    kind: "Service",
    metadata: { namespace: "default", name: "bets" },
    spec: own?.["spec"],
  });
  await user.apply(mockOf("bets", { definition: textOf("bad") }));
  await world.rest();
  expect(await lineOf(world)).toBe("Ready=False/DefinitionRefused Available=False/NameTaken");
  await user.remove(kinds.kservice, { namespace: "default", name: "bets" }, {});
  await world.resync();
  expect(await lineOf(world)).toBe("Ready=False/DefinitionRefused Available=True/Serving");
});

test.for([
  { which: "that is shared", label: true },
  { which: "that is not shared", label: false },
])("a runtime that is not served comes to rest, with a definition $which", async ({ label }) => {
  const world = createHistoryWorld();
  const { user, calls } = world.stage;
  await world.step({ do: "share", word: "a", label });
  const definitionFrom = { configMapKeyRef: { name: "apis", key: "text" } };
  await user.apply(mockOf("bets", { definitionFrom, runtime: "Deployment" }));
  await world.resync();
  expect(await lineOf(world)).toContain("Ready=False/RuntimeNotSupported");
  calls.length = 0;
  await world.resync();
  expect(calls).toEqual([]);
});
