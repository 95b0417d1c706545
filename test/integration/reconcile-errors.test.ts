import { expect, test } from "vitest";
import type { APIMock } from "../../lib/apimock.ts";
import type { ClusterError } from "../../lib/cluster/errors.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import { definitionText, mockOf } from "../support/builders.ts";
import { writesOf } from "../support/counting.ts";
import { failed, faultyCluster } from "../support/faults.ts";
import { createStage, type Stage } from "../support/stage.ts";

/** Answers a stage on which the call fails the number of times given. */
function failing(call: string, error: ClusterError, times = Infinity): Stage {
  let left = times;
  return createStage({
    around: (cluster) =>
      faultyCluster(cluster, (asked) => {
        if (asked !== call || left <= 0) return undefined;
        left -= 1;
        return error;
      }),
  });
}

const reads = ["get Service", "list Revision", "listMetadata ConfigMap", "get APIMock"];
const writes = ["apply ConfigMap", "apply Service", "applyStatus APIMock"];
const passing = [
  failed(429, "too many requests"),
  failed(500, "failed calling webhook"),
  failed(503, "not ready"),
  failed(0, "timed out"),
  failed(422, "owner is being deleted", { field: "metadata.ownerReferences" }),
];

test.for(
  [...reads, ...writes].flatMap((call) =>
    passing.map((error) => ({ call, error, status: error.status })),
  ),
)("$call answered with $status is tried again, and tells nobody", async ({ call, error }) => {
  const stage = failing(call, error, 1);
  await stage.user.apply(mockOf("bets"));
  expect(await stage.reconcile("bets")).toBe(503);
  expect((await stage.mock("bets"))?.status).toBeUndefined();
  await stage.settle("bets");
  expect((await stage.mock("bets"))?.status?.phase).toBe("Running");
});

test.for(writes)("a conflict of %s runs once more, unseen", async (call) => {
  const stage = failing(call, failed(409, "changed"), 1);
  await stage.user.apply(mockOf("bets"));
  expect(await stage.reconcile("bets")).toBe(204);
});

test.for(writes)("a second conflict of %s in a row is tried again later", async (call) => {
  const stage = failing(call, failed(409, "changed"), 2);
  await stage.user.apply(mockOf("bets"));
  expect(await stage.reconcile("bets")).toBe(503);
});

test.for([
  {
    of: "a webhook's denial",
    error: failed(400, "admission webhook denied the request: no images from there"),
    reason: "ChildRefused",
    message: "KService bets: admission webhook denied the request: no images from there",
  },
  {
    of: "an invalid object",
    error: failed(422, "spec.x: Invalid value"),
    reason: "ChildRefused",
    message: "KService bets: spec.x: Invalid value",
  },
  {
    of: "a missing right",
    error: failed(403, "services.serving.knative.dev is forbidden"),
    reason: "Forbidden",
    message: "KService bets: services.serving.knative.dev is forbidden",
  },
  {
    of: "a kind that is not served",
    error: failed(404, "the server could not find the requested resource"),
    reason: "KnativeMissing",
    message: "KService bets: install Knative Serving",
  },
])("$of is done, and stands in the status as $reason", async ({ error, reason, message }) => {
  const stage = failing("apply Service", error);
  await stage.user.apply(mockOf("bets"));
  expect(await stage.reconcile("bets")).toBe(204);
  const { status } = (await stage.mock("bets")) as APIMock;
  expect(status?.phase).toBe("Error");
  expect(status?.conditions?.[2]).toMatchObject({
    type: "Ready",
    status: "False",
    reason,
    message,
  });
  stage.calls.length = 0;
  expect(await stage.reconcile("bets")).toBe(204);
  expect(writesOf(stage.calls)).toEqual([]);
});

test("an edit whose workload is refused leaves the old one in service", async () => {
  let refuse = false;
  const stage = createStage({
    around: (cluster) =>
      faultyCluster(cluster, (call) =>
        refuse && call === "apply Service" ? failed(400, "denied") : undefined,
      ),
  });
  await stage.user.apply(mockOf("bets"));
  await stage.settle("bets");
  refuse = true;
  await stage.user.apply(mockOf("bets", { definition: definitionText("two") }));
  await stage.settle("bets");
  const { status } = (await stage.mock("bets")) as APIMock;
  expect(status).toMatchObject({ phase: "Error", definition: { title: "API of one" } });
  expect(status?.conditions?.[1]).toMatchObject({ type: "Available", status: "True" });
});

test("a ConfigMap that is refused does not keep the spec's other fields from applying", async () => {
  let refuse = false;
  const stage = createStage({
    around: (cluster) =>
      faultyCluster(cluster, (call) =>
        refuse && call === "apply ConfigMap" ? failed(403, "quota exceeded") : undefined,
      ),
  });
  await stage.user.apply(mockOf("bets"));
  await stage.settle("bets");
  refuse = true;
  await stage.user.apply(
    mockOf("bets", { definition: definitionText("two"), scale: { min: 2, max: 4 } }),
  );
  await stage.settle("bets");
  const kservice = await stage.get(kinds.kservice, "bets");
  expect(JSON.stringify(kservice)).toContain('"autoscaling.knative.dev/min-scale":"2"');
  expect((await stage.mock("bets"))?.status).toMatchObject({
    phase: "Error",
    definition: { title: "API of one" },
  });
});

test.for(writes)("%s into a namespace that terminates is done", async (call) => {
  const error = failed(403, "namespace is being terminated", { reason: "NamespaceTerminating" });
  const stage = failing(call, error);
  await stage.user.apply(mockOf("bets"));
  expect(await stage.reconcile("bets")).toBe(204);
  expect((await stage.mock("bets"))?.status).toBeUndefined();
});

test("children that may not be read are left alone, and the status says Forbidden", async () => {
  let forbidden = false;
  const stage = createStage({
    around: (cluster) =>
      faultyCluster(cluster, (call) =>
        forbidden && call === "list Revision" ? failed(403, "cannot list revisions") : undefined,
      ),
  });
  await stage.user.apply(mockOf("bets"));
  await stage.settle("bets");
  forbidden = true;
  stage.calls.length = 0;
  await stage.settle("bets");
  expect(writesOf(stage.calls)).toEqual(["applyStatus APIMock bets", "recordEvent Forbidden"]);
  const { status } = (await stage.mock("bets")) as APIMock;
  expect(status?.definition?.title).toBe("API of one");
  expect(status?.conditions?.map(({ status, reason }) => `${status}/${reason}`)).toEqual([
    "True/Valid",
    "True/Serving",
    "False/Forbidden",
  ]);
});

test("a cluster without Knative says so", async () => {
  const stage = createStage({ without: [kinds.kservice, kinds.revision], serving: false });
  await stage.user.apply(mockOf("bets"));
  expect(await stage.reconcile("bets")).toBe(204);
  const { status } = (await stage.mock("bets")) as APIMock;
  expect(status?.conditions?.[2]).toMatchObject({ status: "False", reason: "KnativeMissing" });
});

test("an Event that cannot be recorded spoils nothing", async () => {
  const stage = failing("recordEvent", failed(403, "events are forbidden"));
  await stage.user.apply(mockOf("bets"));
  await stage.settle("bets");
  expect((await stage.mock("bets"))?.status?.phase).toBe("Running");
});

test("a run that takes too long ends, and the key comes again", async () => {
  const stage: Stage = createStage({
    around: (cluster) => ({
      ...cluster,
      listMetadata: async (kind, options) => {
        stage.clock.move(31_000);
        return await cluster.listMetadata(kind, options);
      },
    }),
  });
  await stage.user.apply(mockOf("bets"));
  expect(await stage.reconcile("bets")).toBe(503);
  expect(stage.ended("bets")).toMatchObject({ kind: "retry" });
});

test("a compiler that cannot be started is tried again", async () => {
  const stage = createStage({
    compiler: {
      version: "broken",
      compile: async () => await Promise.reject(new Error("spawn failed")),
      close: async () => {},
    },
  });
  await stage.user.apply(mockOf("bets"));
  expect(await stage.reconcile("bets")).toBe(503);
});
