import { beforeAll, expect, test } from "vitest";
import { eventually } from "./run.ts";
import { get, kubectl, remove, type Seen } from "./support/kube.ts";
import { condition, definition, mockOf, ownNamespace, ready, serves } from "./support/mocks.ts";

const namespace = ownNamespace("original");
const finalizer = "finalizer.ingress.apirator.io";
const types = ["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"] as const;

/** A manifest of v1.0 with every field that it had. */
const whole = mockOf(namespace, "whole", {
  watch: true,
  definition: definition("1"),
  service: {
    port: 7000,
    type: "LoadBalancer",
    externalTrafficPolicy: "Local",
    annotations: {
      "example.com/team": "bets",
      "service.beta.kubernetes.io/aws-load-balancer-type": "nlb",
    },
  },
  ingress: {
    hostname: "api.example.com",
    path: "/bets",
    pathType: "ImplementationSpecific",
    annotations: { "kubernetes.io/ingress.class": "nginx" },
    certManager: true,
    tls: { secretName: "api-example-com" },
  },
});

/** A manifest as it was exported from a cluster where the Go operator ran. */
function exported(name: string): object {
  return {
    ...mockOf(namespace, name, { definition: definition("1"), service: { port: 8000 } }),
    metadata: { namespace, name, finalizers: [finalizer] },
  };
}

const ofType = types.map((type) =>
  mockOf(namespace, type.toLowerCase(), {
    definition: definition("1"),
    service: { port: 8080, type },
  }),
);

/** Applies on the client's side, as v1.0 was used, and lets no unknown field through. */
async function applyAsThen(...objects: readonly object[]): Promise<string> {
  const list = JSON.stringify({ apiVersion: "v1", kind: "List", items: objects });
  return await kubectl(["apply", "--validate=strict", "--filename", "-"], list);
}

/** Waits until the mock answers, and answers it. */
async function answering(name: string): Promise<Seen> {
  const mock = await ready(namespace, name, 120);
  await serves(mock.status?.url ?? "", "1", 90);
  return mock;
}

/** Waits until no child of the mock is left. */
async function childrenGone(name: string): Promise<void> {
  const listed = ["get", "ksvc,configmap", "--selector", `apirator.io/mock=${name}`];
  await eventually(`the children of ${name} gone`, 90, async () =>
    (await kubectl([...listed, "--output", "name", "--namespace", namespace])) === ""
      ? true
      : undefined,
  );
}

beforeAll(async () => {
  await applyAsThen(whole, exported("exported"), ...ofType);
});

test("a v1.0 manifest with every field becomes Ready and answers", async () => {
  const mock = await answering("whole");
  expect(mock.status).toMatchObject({ phase: "Running", definition: { operations: 1 } });
  expect(mock.spec).toMatchObject((whole as Pick<Seen, "spec">).spec);
  const workload = await get("ksvc", namespace, "whole");
  expect(workload?.metadata.annotations).toMatchObject({ "example.com/team": "bets" });
});

test("what Knative cannot give to a v1.0 mock is said in its conditions, and Ready does not wait for it", async () => {
  const mock = await ready(namespace, "whole", 120);
  expect(condition(mock, "IngressReady")).toMatchObject({
    status: "False",
    reason: "UnsupportedWithKnative",
    observedGeneration: mock.metadata.generation,
  });
  expect(condition(mock, "IngressReady")?.message).toContain("spec.service.type");
  const said = condition(mock, "Available")?.message;
  expect(said).toContain("spec.service.externalTrafficPolicy has no effect");
  expect(said).toContain("service.beta.kubernetes.io/aws-load-balancer-type");
});

test.for(types)("a v1.0 mock with a Service of type %s becomes Ready and answers", async (type) => {
  const mock = await answering(type.toLowerCase());
  const isPublic = type === "NodePort" || type === "LoadBalancer";
  expect(mock.status?.url?.endsWith(".svc.cluster.local")).toBe(!isPublic);
  expect(condition(mock, "IngressReady")).toBeUndefined();
});

test("a mock with the Go operator's finalizer loses it, becomes Ready and answers", async () => {
  const mock = await answering("exported");
  expect(mock.metadata.finalizers).toBeUndefined();
});

test("the same manifest applied again changes nothing that answers", async () => {
  const before = await answering("whole");
  expect(await applyAsThen(whole)).toContain("unchanged");
  const after = await answering("whole");
  expect(after.metadata.generation).toBe(before.metadata.generation);
  expect(after.status?.definition).toEqual(before.status?.definition);
});

test("a mock whose manifest brings the finalizer back is deleted nevertheless, with its children", async () => {
  await answering("exported");
  await applyAsThen(exported("exported"));
  await remove("apimock", namespace, "exported");
  expect(await get("apimock", namespace, "exported")).toBeUndefined();
  await childrenGone("exported");
});

test("a mock that is deleted in the moment it is made is gone, also with the finalizer", async () => {
  await applyAsThen(exported("brief"));
  await remove("apimock", namespace, "brief");
  expect(await get("apimock", namespace, "brief")).toBeUndefined();
});

test("v1.0 mocks without the finalizer are deleted at once, with their children", async () => {
  await remove("apimock", namespace, "whole");
  await childrenGone("whole");
  expect(await get("apimock", namespace, "whole")).toBeUndefined();
});
