import { expect, test } from "vitest";
import type { APIMock } from "../../lib/apimock.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import { badText, definitionText, mockOf } from "../support/builders.ts";
import { writesOf } from "../support/counting.ts";
import { createStage, type Stage } from "../support/stage.ts";

/** Answers how the mock is, as a line: `Running Ready=True/Serving API of one`. */
async function lineOf(stage: Stage, name = "bets"): Promise<string> {
  const mock = await stage.mock(name);
  const ready = mock?.status?.conditions?.find(({ type }) => type === "Ready");
  const title = mock?.status?.definition?.title ?? "nothing";
  return `${mock?.status?.phase} Ready=${ready?.status}/${ready?.reason} ${title}`;
}

async function settled(spec: Partial<APIMock["spec"]> = {}): Promise<Stage> {
  const stage = createStage();
  await stage.user.apply(mockOf("bets", spec));
  await stage.settle("bets");
  return stage;
}

const edit = async (stage: Stage, spec: Parameters<typeof mockOf>[1]): Promise<void> => {
  await stage.user.apply(mockOf("bets", spec));
  await stage.settle("bets");
};

test("a new mock starts, then serves", async () => {
  const stage = createStage();
  await stage.user.apply(mockOf("bets"));
  expect(await stage.reconcile("bets")).toBe(204);
  expect(await lineOf(stage)).toBe("Pending Ready=Unknown/RollingOut nothing");
  expect(await stage.reconcile("bets")).toBe(204);
  expect(await lineOf(stage)).toBe("Running Ready=True/Serving API of one");
  const { status } = (await stage.mock("bets")) as APIMock;
  expect(status?.url).toBe("http://bets.default.example");
  expect(status?.runtime).toBe("Knative");
});

test("a mock with nothing to do costs four calls, no write and no compile", async () => {
  const stage = await settled();
  stage.calls.length = 0;
  const compiled = stage.compiled();
  expect(await stage.reconcile("bets")).toBe(204);
  expect(stage.calls).toEqual([
    "get Service default/bets",
    "list Revision",
    "listMetadata ConfigMap",
    "get APIMock default/bets",
  ]);
  expect(stage.compiled()).toBe(compiled);
});

test("a new mock costs six writes and two events over its first two runs", async () => {
  const stage = await settled();
  expect(writesOf(stage.calls)).toEqual([
    expect.stringMatching(/^apply ConfigMap bets-[0-9a-f]{10}$/),
    "apply Service bets",
    "applyStatus APIMock bets",
    "recordEvent RollingOut",
    "applyStatus APIMock bets",
    "recordEvent Serving",
  ]);
});

test("a good edit is rolled out, and the old one serves until then", async () => {
  const stage = await settled();
  await stage.user.apply(mockOf("bets", { definition: definitionText("two") }));
  await stage.reconcile("bets");
  expect(await lineOf(stage)).toBe("Pending Ready=Unknown/RollingOut API of one");
  await stage.settle("bets");
  expect(await lineOf(stage)).toBe("Running Ready=True/Serving API of two");
});

test("a bad edit keeps the old answers, and says where it is wrong", async () => {
  const stage = await settled();
  const before = await stage.get(kinds.kservice, "bets");
  await edit(stage, { definition: badText });
  const { status, metadata } = (await stage.mock("bets")) as APIMock;
  expect(status).toMatchObject({
    observedGeneration: metadata.generation,
    phase: "Failed",
    definition: { title: "API of one" },
    findings: [{ severity: "error", code: "unresolved-ref", line: 7 }],
  });
  expect(status?.conditions?.map(({ type, status, reason }) => [type, status, reason])).toEqual([
    ["Validated", "False", "DefinitionRefused"],
    ["Available", "True", "Serving"],
    ["Ready", "False", "DefinitionRefused"],
  ]);
  expect(status?.conditions?.[0]?.message).toMatch(/^1 error: line 7, column \d+$/);
  expect(await stage.get(kinds.kservice, "bets")).toEqual(before);
});

test("a refusal is remembered: the same bad text is compiled once", async () => {
  const stage = await settled();
  await edit(stage, { definition: badText });
  expect(stage.compiled()).toBe(2);
  await stage.reconcile("bets");
  expect(stage.compiled()).toBe(2);
});

test("other fields of the spec apply while a bad edit holds the definition", async () => {
  const stage = await settled();
  await edit(stage, { definition: badText, scale: { min: 1, max: 3 } });
  expect(await stage.get(kinds.kservice, "bets")).toMatchObject({
    spec: {
      template: {
        metadata: {
          annotations: {
            "autoscaling.knative.dev/min-scale": "1",
            "autoscaling.knative.dev/max-scale": "3",
          },
        },
      },
    },
  });
  expect(await lineOf(stage)).toBe("Failed Ready=False/DefinitionRefused API of one");
});

test("a mock whose first definition is bad serves nothing, and makes nothing", async () => {
  const stage = await settled({ definition: badText });
  expect(await lineOf(stage)).toBe("Failed Ready=False/DefinitionRefused nothing");
  expect(writesOf(stage.calls)).toEqual([
    "applyStatus APIMock bets",
    "recordEvent DefinitionRefused",
  ]);
});

test("a bad edit that is put right serves again", async () => {
  const stage = await settled();
  await edit(stage, { definition: badText });
  await edit(stage, { definition: definitionText("one") });
  expect(await lineOf(stage)).toBe("Running Ready=True/Serving API of one");
});

test("with watch false the definition stays, its text is judged, and watch true serves it", async () => {
  const stage = await settled();
  await edit(stage, { definition: definitionText("two"), watch: false });
  expect(await lineOf(stage)).toBe("Running Ready=True/Serving API of one");
  const { status } = (await stage.mock("bets")) as APIMock;
  expect(status?.conditions?.[0]).toMatchObject({ type: "Validated", status: "True" });
  await edit(stage, { definition: badText, watch: false });
  expect(await lineOf(stage)).toBe("Failed Ready=False/DefinitionRefused API of one");
  await edit(stage, { definition: definitionText("two"), watch: true });
  expect(await lineOf(stage)).toBe("Running Ready=True/Serving API of two");
});

test("a text that is held is compiled once", async () => {
  const stage = await settled();
  await edit(stage, { definition: definitionText("two"), watch: false });
  const compiled = stage.compiled();
  await stage.reconcile("bets");
  expect(stage.compiled()).toBe(compiled);
});

test("a new mock with watch false serves its first definition", async () => {
  const stage = await settled({ watch: false });
  expect(await lineOf(stage)).toBe("Running Ready=True/Serving API of one");
  await edit(stage, { definition: definitionText("two"), watch: false });
  expect(await lineOf(stage)).toBe("Running Ready=True/Serving API of one");
});

async function loseHeld(stage: Stage): Promise<void> {
  const hash = (await stage.mock("bets"))?.status?.definition?.hash ?? "";
  await stage.user.remove(kinds.configMap, { namespace: "default", name: `bets-${hash}` }, {});
}

test("a held definition whose ConfigMap is gone gives way to a valid text", async () => {
  const stage = await settled();
  await edit(stage, { definition: definitionText("two"), watch: false });
  await loseHeld(stage);
  await stage.reconcile("bets");
  expect(await lineOf(stage)).toBe("Error Ready=False/HeldDefinitionLost API of one");
  await stage.settle("bets");
  expect(await lineOf(stage)).toBe("Running Ready=True/Serving API of two");
});

test("a held definition whose ConfigMap is gone is lost where the text is bad", async () => {
  const stage = await settled();
  await edit(stage, { definition: badText });
  const before = await stage.get(kinds.kservice, "bets");
  await loseHeld(stage);
  await stage.settle("bets");
  const { status } = (await stage.mock("bets")) as APIMock;
  expect(status?.phase).toBe("Error");
  expect(status?.conditions?.[1]).toMatchObject({
    type: "Available",
    status: "False",
    reason: "DefinitionLost",
  });
  expect(await stage.get(kinds.kservice, "bets")).toEqual(before);
  await edit(stage, { definition: definitionText("three") });
  expect(await lineOf(stage)).toBe("Running Ready=True/Serving API of three");
});

test("a failed roll-out leaves the old definition in service, and says why", async () => {
  const stage = createStage({
    startFailure: (definition) => (starts(definition) ? undefined : "out of memory"),
  });
  let broken = "";
  function starts(definition: Uint8Array): boolean {
    return broken === "" || Buffer.from(definition).toString("base64") !== broken;
  }
  await stage.user.apply(mockOf("bets"));
  await stage.settle("bets");
  const first = (await stage.mock("bets"))?.status?.definition?.hash;
  await stage.user.apply(mockOf("bets", { definition: definitionText("two"), watch: false }));
  await stage.settle("bets");
  await stage.user.apply(mockOf("bets", { definition: definitionText("two") }));
  const unsubscribe = stage.memory.watch(({ object }) => {
    if (object.kind !== "ConfigMap" || object.metadata.name === `bets-${first}`) return;
    broken = Object.values(object["binaryData"] as Record<string, string>)[0] ?? "";
  });
  await stage.settle("bets");
  unsubscribe();
  expect(await lineOf(stage)).toBe("Error Ready=False/RolloutFailed API of one");
  const { status } = (await stage.mock("bets")) as APIMock;
  expect(status?.conditions?.[1]).toMatchObject({ type: "Available", status: "True" });
  expect(status?.conditions?.[2]?.message).toContain("out of memory");
});

test("a condition keeps its time while its status stays", async () => {
  const stage = await settled();
  stage.clock.move(60_000);
  await edit(stage, { definition: definitionText("two"), watch: false });
  const { status } = (await stage.mock("bets")) as APIMock;
  expect(new Set(status?.conditions?.map(({ lastTransitionTime }) => lastTransitionTime))).toEqual(
    new Set(["2030-01-01T00:00:00Z"]),
  );
});

test("a compiler of another version compiles again, and the same result is the same ConfigMap", async () => {
  const stage = await settled();
  const again = createStage({ on: stage, compiler: { ...stage.compiler, version: "next" } });
  await again.settle("bets");
  expect(await lineOf(again)).toBe("Running Ready=True/Serving API of one");
  again.calls.length = 0;
  await again.reconcile("bets");
  expect(writesOf(again.calls)).toEqual([]);
});

test("a definition that takes too long is refused for now, and what serves stays", async () => {
  const stage = await settled();
  const slow = createStage({
    on: stage,
    compiler: {
      ...stage.compiler,
      compile: async () => ({ kind: "timeout", message: "5 s of CPU are not enough" }),
    },
  });
  await slow.user.apply(mockOf("bets", { definition: definitionText("two") }));
  await slow.settle("bets");
  expect(await lineOf(slow)).toBe("Failed Ready=False/CompileTimeout API of one");
  await stage.settle("bets");
  expect(await lineOf(stage)).toBe("Running Ready=True/Serving API of two");
});
