import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { apply, get, kubectl, list } from "./support/kube.ts";
import { ask, definition, mockOf, ownNamespace, ready, serves } from "./support/mocks.ts";
import { checkout } from "./support/skaffold.ts";

const system = "apirator-system";
const namespace = ownNamespace("manifests");
const dryRun = [
  "apply",
  "--server-side",
  "--force-conflicts",
  "--dry-run=server",
  "--warnings-as-errors",
  "--output=name",
];

/** Answers the names of the objects that the server would take; a warning of it is an error. */
async function accepted(...from: string[]): Promise<string[]> {
  return (await kubectl([...dryRun, ...from])).trim().split("\n");
}

test("the server takes the resource, its roles and the whole operator, without a warning", async () => {
  const names = await accepted("-k", join(checkout, "knative"));
  expect(names).toContain("customresourcedefinition.apiextensions.k8s.io/apimocks.apirator.io");
  expect(names).toContain("service.serving.knative.dev/reconcile");
  expect(names).toContain("apiserversource.sources.knative.dev/apirator");
});

test("the server takes the operator as skaffold dev installs it", async () => {
  const names = await accepted("-k", join(checkout, "knative/dev"));
  expect(names).toContain("service.serving.knative.dev/resync");
});

test("the server takes the operator with the component of network policies", async () => {
  const folder = mkdtempSync(join(tmpdir(), "apirator-policies-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(join(checkout, "knative"), folder, { recursive: true });
  writeFileSync(
    join(folder, "kustomization.yaml"),
    "resources: [crd, operator]\ncomponents: [network-policies]\n",
  );
  const names = await accepted("-k", folder);
  expect(names).toContain("networkpolicy.networking.k8s.io/apirator");
});

test("the server takes the policy for a namespace with mocks", async () => {
  const file = join(checkout, "knative/network-policies/mocks.yaml");
  expect(await accepted("--namespace", namespace, "-f", file)).toEqual([
    "networkpolicy.networking.k8s.io/mocks",
  ]);
});

test.for(readdirSync(join(checkout, "examples")).filter((name) => name.endsWith(".yaml")))(
  "the server takes examples/%s",
  async (name) => {
    const names = await accepted("--namespace", namespace, "-f", join(checkout, "examples", name));
    expect(names).toContain(`apimock.apirator.io/${name.replace(".yaml", "")}`);
  },
);

/** A pod that the restricted Pod Security Standard forbids. */
const forbidden = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "forbidden" },
  spec: { containers: [{ name: "c", image: "dev.local/pause:1" }] },
};

beforeAll(async () => {
  await apply(mockOf(namespace, "pets", { definition: definition("1") }));
});

test.for([
  ["the operator's", system],
  ["a user's", namespace],
] as const)(
  "in %s namespace no pod starts that the restricted standard forbids",
  async ([, where]) => {
    await expect(
      kubectl(
        ["apply", "--server-side", "--namespace", where, "-f", "-"],
        JSON.stringify(forbidden),
      ),
    ).rejects.toThrow(/violates PodSecurity "restricted:latest"/);
  },
);

test("under the restricted standard a mock starts and answers", async () => {
  const enforced = await get("namespace", "", namespace);
  expect(enforced?.metadata.labels).toMatchObject({
    "pod-security.kubernetes.io/enforce": "restricted",
  });
  const { status } = await ready(namespace, "pets");
  await serves(status?.url ?? "", "1", 60);
  const pods = await list("pod", namespace, "serving.knative.dev/service=pets");
  expect(pods).not.toEqual([]);
});

test("under the restricted standard the functions start and answer", async () => {
  const enforced = await get("namespace", "", system);
  expect(enforced?.metadata.labels).toMatchObject({
    "pod-security.kubernetes.io/enforce": "restricted",
  });
  for (const name of ["reconcile", "resync"]) {
    const { status } = await ask(`http://${name}.${system}.svc.cluster.local/healthz`);
    expect(status).toBe(204);
    const pods = await list("pod", system, `serving.knative.dev/service=${name}`);
    expect(pods).not.toEqual([]);
  }
});

test("the pods of mocks have no token, and carry the labels that the policy selects them by", async () => {
  await ready(namespace, "pets");
  const revisions = await list("revision", namespace, "serving.knative.dev/service=pets");
  const [revision] = revisions;
  expect(revision?.spec["automountServiceAccountToken"]).toBe(false);
  expect(revision?.metadata.labels).toMatchObject({
    "app.kubernetes.io/managed-by": "apirator",
    "app.kubernetes.io/component": "mock",
  });
});
