import { expect, test } from "vitest";
import { kserviceOf } from "../../functions/reconcile/kservice.ts";
import type { APIMock } from "../../lib/apimock.ts";
import { templateVersion } from "../../lib/build.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import { sha256 } from "../../lib/hash.ts";
import { mockOf } from "../support/builders.ts";
import { testCluster } from "../support/memory.ts";

const settings = { image: "apirator:1" };

async function made(spec: Parameters<typeof mockOf>[1] = {}): Promise<APIMock> {
  return (await testCluster().as("kubectl").apply(mockOf("bets", spec))) as APIMock;
}

test("a change of the template goes with another template version, so that an upgrade reaches mocks at rest", async () => {
  const digest = sha256(JSON.stringify(kserviceOf(await made(), "0123456789", settings))).slice(
    0,
    8,
  );
  expect({ templateVersion, digest }).toEqual({ templateVersion: 1, digest: "cafaf11b" });
});

test("Knative's defaulting adds nothing to what is sent", async () => {
  const cluster = testCluster().as("apirator");
  const kservice = kserviceOf(await made(), "0123456789", settings);
  const stored = await cluster.apply(kservice);
  expect(stored["spec"]).toEqual(kservice["spec"]);
});

test.for([
  { type: "ClusterIP", label: "cluster-local" },
  { type: "ExternalName", label: "cluster-local" },
  { type: "NodePort", label: undefined },
  { type: "LoadBalancer", label: undefined },
] as const)("a Service of type $type has the visibility $label", async ({ type, label }) => {
  const { metadata } = kserviceOf(await made({ service: { type } }), "0123456789", settings);
  expect(metadata.labels?.["networking.knative.dev/visibility"]).toBe(label);
});

test.for([
  ["example.com/team", true],
  ["team", true],
  ["serving.knative.dev/creator", false],
  ["networking.internal.knative.dev/x", false],
  ["kubernetes.io/x", false],
  ["service.beta.kubernetes.io/lb", false],
  ["gateway.k8s.io/x", false],
  ["apirator.io/desired", false],
] as const)("an annotation %s of the spec goes on the KService: %s", async ([name, kept]) => {
  const mock = await made({ service: { annotations: { [name]: "mine" } } });
  const { annotations } = kserviceOf(mock, "0123456789", settings).metadata;
  expect(annotations?.[name] === "mine").toBe(kept);
});

test("the mock's process is told how to answer, and nothing empty", async () => {
  const mock = { validate: "Warn", dynamic: true, seed: "7", cors: false } as const;
  const env = async (seed: string): Promise<unknown> => {
    const kservice = kserviceOf(await made({ mock: { ...mock, seed } }), "0123456789", settings);
    const { spec } = kservice as unknown as {
      spec: { template: { spec: { containers: { env: { name: string; value: string }[] }[] } } };
    };
    return Object.fromEntries(
      (spec.template.spec.containers[0]?.env ?? []).map(({ name, value }) => [name, value]),
    );
  };
  const common = {
    DEFINITION: "/etc/apirator/definition.json.gz",
    APIRATOR_VALIDATE: "Warn",
    APIRATOR_DYNAMIC: "true",
    APIRATOR_CORS: "false",
  };
  expect(await env("7")).toEqual({ ...common, APIRATOR_SEED: "7" });
  expect(await env("")).toEqual(common);
});

test("the pod meets the restricted Pod Security Standard and holds no token", async () => {
  const kservice = kserviceOf(await made(), "0123456789", settings);
  expect(kservice).toMatchObject({
    apiVersion: kinds.kservice.apiVersion,
    spec: {
      template: {
        spec: {
          automountServiceAccountToken: false,
          containers: [
            {
              securityContext: {
                allowPrivilegeEscalation: false,
                capabilities: { drop: ["ALL"] },
                readOnlyRootFilesystem: true,
                runAsNonRoot: true,
                seccompProfile: { type: "RuntimeDefault" },
              },
            },
          ],
        },
      },
    },
  });
});
