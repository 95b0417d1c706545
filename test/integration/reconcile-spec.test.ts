import { expect, test } from "vitest";
import type { APIMock } from "../../lib/apimock.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import { mockOf } from "../support/builders.ts";
import { writesOf } from "../support/counting.ts";
import { createStage } from "../support/stage.ts";

test.for<{ what: string; spec: Parameters<typeof mockOf>[1]; says: string }>([
  {
    what: "externalTrafficPolicy",
    spec: { service: { type: "LoadBalancer", externalTrafficPolicy: "Local" } },
    says: "spec.service.externalTrafficPolicy has no effect with runtime Knative",
  },
  {
    what: "a reserved annotation",
    spec: { service: { annotations: { "example.com/a": "1", "serving.knative.dev/x": "1" } } },
    says: "reserved and left out of spec.service.annotations: serving.knative.dev/x",
  },
])("$what is not ignored silently", async ({ spec, says }) => {
  const stage = createStage();
  await stage.user.apply(mockOf("bets", spec));
  await stage.settle("bets");
  const { status } = (await stage.mock("bets")) as APIMock;
  expect(status?.conditions?.[1]).toMatchObject({ type: "Available", status: "True" });
  expect(status?.conditions?.[1]?.message).toContain(says);
});

test("an ingress that is asked for has a condition of its own, beside Ready, until it is not asked for", async () => {
  const stage = createStage();
  await stage.user.apply(mockOf("bets", { ingress: { hostname: "bets.example.com" } }));
  await stage.settle("bets");
  const { status } = (await stage.mock("bets")) as APIMock;
  expect(status?.phase).toBe("Running");
  expect(status?.conditions?.[3]).toMatchObject({
    type: "IngressReady",
    status: "False",
    reason: "UnsupportedWithKnative",
  });
  expect(status?.conditions?.[3]?.message).toContain("set spec.service.type to LoadBalancer");
  // A remedy that is itself refused is none.
  expect(status?.conditions?.[3]?.message).not.toContain("Deployment");
  await stage.user.apply(mockOf("bets"));
  await stage.settle("bets");
  const after = (await stage.mock("bets"))?.status?.conditions?.map(({ type }) => type);
  expect(after).toEqual(["Validated", "Available", "Ready"]);
});

test("another field of the spec rolls a new Revision of the same definition", async () => {
  const stage = createStage();
  await stage.user.apply(mockOf("bets"));
  await stage.settle("bets");
  const mock = { validate: "Off", dynamic: true, seed: "x", cors: false } as const;
  await stage.user.apply(mockOf("bets", { mock }));
  await stage.settle("bets");
  expect(stage.compiled()).toBe(1);
  expect(JSON.stringify(await stage.get(kinds.kservice, "bets"))).toContain("APIRATOR_SEED");
  expect((await stage.mock("bets"))?.status?.phase).toBe("Running");
});

test("another image rolls every mock, and the status says by what build", async () => {
  const stage = createStage();
  await stage.user.apply(mockOf("bets"));
  await stage.settle("bets");
  const before = (await stage.mock("bets"))?.status?.build;
  const upgraded = createStage({ on: stage, image: "apirator:next" });
  await upgraded.settle("bets");
  expect((await stage.mock("bets"))?.status?.build).not.toBe(before);
  expect(JSON.stringify(await stage.get(kinds.kservice, "bets"))).toContain("apirator:next");
  upgraded.calls.length = 0;
  await upgraded.reconcile("bets");
  expect(writesOf(upgraded.calls)).toEqual([]);
});
