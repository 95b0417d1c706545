import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { childLabels, mockLabel } from "../../lib/names.ts";
import { kustomize } from "../support/kubectl.ts";

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  spec: Record<string, unknown>;
  rules?: { apiGroups: string[]; resources: string[]; verbs: string[] }[];
}

interface Container {
  name: string;
  image: string;
  args?: string[];
  env?: { name: string; value: string }[];
  securityContext: Record<string, unknown>;
}

function render(folder: string): Manifest[] {
  return parseAllDocuments(kustomize(folder)).map((document) => document.toJS() as Manifest);
}

function find(manifests: readonly Manifest[], kind: string, name: string): Manifest {
  const found = manifests.find(
    (manifest) => manifest.kind === kind && manifest.metadata.name === name,
  );
  if (found === undefined) throw new Error(`${kind} ${name} is not rendered`);
  return found;
}

function containers(manifest: Manifest): Container[] {
  if (manifest.kind === "CronJob") {
    const job = manifest.spec["jobTemplate"] as {
      spec: { template: { spec: { containers: Container[] } } };
    };
    return job.spec.template.spec.containers;
  }
  return (manifest.spec["template"] as { spec: { containers: Container[] } }).spec.containers;
}

const operator = render("knative/operator");
const workloads = operator.filter(
  (manifest) => manifest.kind === "CronJob" || manifest.apiVersion === "serving.knative.dev/v1",
);

test("the whole is the resource and the operator, nothing else", () => {
  const names = (list: readonly Manifest[]) =>
    list.map((manifest) => `${manifest.kind}/${manifest.metadata.name}`).sort();
  expect(names(render("knative"))).toEqual(names([...render("knative/crd"), ...operator]));
});

test("an image that is set reaches every function, the resync job and the mocks", () => {
  const folder = mkdtempSync(join(tmpdir(), "apirator-"));
  try {
    cpSync("knative/operator", folder, { recursive: true });
    const file = join(folder, "kustomization.yaml");
    writeFileSync(
      file,
      `${readFileSync(file, "utf8")}\nimages:\n  - {name: apirator, newName: example.org/apirator, newTag: "7"}\n`,
    );
    const images = render(folder)
      .filter(
        (manifest) =>
          manifest.kind === "CronJob" || manifest.apiVersion === "serving.knative.dev/v1",
      )
      .flatMap((manifest) => containers(manifest))
      .flatMap((container) => [
        container.image,
        ...(container.env ?? []).filter((env) => env.name === "MOCK_IMAGE").map((env) => env.value),
      ]);
    expect(images).toEqual(Array(5).fill("example.org/apirator:7"));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.for(workloads.map((manifest) => [manifest.metadata.name, manifest] as const))(
  "%s runs under the restricted Pod Security Standard",
  ([, manifest]) => {
    for (const container of containers(manifest)) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        runAsNonRoot: true,
        capabilities: { drop: ["ALL"] },
        seccompProfile: { type: "RuntimeDefault" },
      });
    }
    expect(find(operator, "Namespace", "apirator-system").metadata.labels).toMatchObject({
      "pod-security.kubernetes.io/enforce": "restricted",
    });
  },
);

test("the functions are cluster-local, sleep when nobody needs them, and are bounded", () => {
  for (const [name, most] of [
    ["reconcile", "4"],
    ["resync", "1"],
  ] as const) {
    const manifest = find(operator, "Service", name);
    expect(manifest.metadata.labels?.["networking.knative.dev/visibility"]).toBe("cluster-local");
    const { metadata } = manifest.spec["template"] as Manifest;
    expect(metadata.annotations).toEqual({
      "autoscaling.knative.dev/min-scale": "0",
      "autoscaling.knative.dev/max-scale": most,
    });
    expect(containers(manifest)[0]?.args).toEqual([name]);
  }
});

test("skaffold dev keeps the functions awake and changes nothing else", () => {
  const awake = JSON.parse(
    JSON.stringify(operator).replaceAll(
      '"autoscaling.knative.dev/min-scale":"0"',
      '"autoscaling.knative.dev/min-scale":"1"',
    ),
  ) as unknown;
  expect(render("knative/dev")).toEqual(awake);
});

test("the broker retries, and no trigger replaces its delivery", () => {
  const broker = find(operator, "Broker", "apirator");
  expect(broker.spec["delivery"]).toEqual({
    retry: 5,
    backoffPolicy: "exponential",
    backoffDelay: "PT0.5S",
    timeout: "PT110S",
  });
  expect(broker.metadata.annotations).toEqual({ "messaging.knative.dev/async-handler": "true" });
  expect(find(operator, "Trigger", "reconcile").spec).not.toHaveProperty("delivery");
});

test("the source sends references of every kind that reconcile makes, from all namespaces", () => {
  const { spec } = find(operator, "ApiServerSource", "apirator");
  expect(spec).toMatchObject({
    mode: "Reference",
    namespaceSelector: {},
    sink: { ref: { kind: "Broker", name: "apirator" } },
  });
  const watched = (spec["resources"] as { apiVersion: string; kind: string }[]).map(
    (resource) => `${resource.apiVersion} ${resource.kind}`,
  );
  expect(watched).toEqual([
    "apirator.io/v1alpha1 APIMock",
    "v1 ConfigMap",
    "v1 ConfigMap",
    "serving.knative.dev/v1 Service",
  ]);
});

/** Rights as one line each, so that a difference reads like the table in the design. */
function rights(name: string): string[] {
  return (find(operator, "ClusterRole", name).rules ?? [])
    .flatMap((rule) =>
      rule.resources.map(
        (resource) =>
          `${resource}${rule.apiGroups[0] === "" ? "" : `.${rule.apiGroups[0]}`}: ${rule.verbs.join(", ")}`,
      ),
    )
    .sort();
}

test("nobody has a right that they do not need", () => {
  expect(rights("apirator-reconcile")).toEqual([
    "apimocks.apirator.io: get, list, patch",
    "apimocks/status.apirator.io: patch",
    "configmaps: get, list, create, patch, delete",
    "events: create, patch",
    "revisions.serving.knative.dev: list, delete",
    "services.serving.knative.dev: get, create, patch, delete",
  ]);
  const kinds = ["apimocks.apirator.io", "configmaps", "services.serving.knative.dev"];
  expect(rights("apirator-resync")).toEqual(kinds.map((resource) => `${resource}: list`));
  expect(rights("apirator-source")).toEqual(
    kinds.map((resource) => `${resource}: get, list, watch`),
  );
});

test("skaffold builds the shipped Dockerfile, never owns the CRD, and replaces the mocks' image", () => {
  const skaffold = parse(readFileSync("skaffold.yaml", "utf8")) as {
    apiVersion: string;
    build: { artifacts: { image: string; docker: { dockerfile: string } }[] };
    manifests: { kustomize: { paths: string[] } };
    resourceSelector: { allow: { groupKind: string; image: string[] }[] };
    deploy: {
      kubectl: {
        hooks: {
          before: { host: { command: string[] } }[];
          after: { host: { command: string[] } }[];
        };
      };
    };
    profiles: { name: string; manifests?: { kustomize: { paths: string[] } } }[];
  };
  expect(skaffold.apiVersion).toBe("skaffold/v4beta14");
  expect(skaffold.build.artifacts).toMatchObject([
    { image: "apirator", docker: { dockerfile: "Dockerfile" } },
  ]);
  const folders = [
    ...skaffold.manifests.kustomize.paths,
    ...skaffold.profiles.flatMap((profile) => profile.manifests?.kustomize.paths ?? []),
  ];
  for (const folder of folders)
    expect(render(folder).map((manifest) => manifest.kind)).not.toContain(
      "CustomResourceDefinition",
    );
  expect(skaffold.deploy.kubectl.hooks.before[0]?.host.command.join(" ")).toContain(
    "apply --server-side --force-conflicts -k knative/crd",
  );
  expect(skaffold.deploy.kubectl.hooks.after[0]?.host.command.join(" ")).toContain(
    "create job --from=cronjob/resync-now",
  );
  expect(skaffold.resourceSelector.allow).toMatchObject([
    {
      groupKind: "Service.serving.knative.dev",
      image: [".*", ".spec.template.spec.containers.env.value"],
    },
  ]);
});

/** The operator as a kustomization beside it installs it with the component. */
function renderWithPolicies(): Manifest[] {
  const folder = mkdtempSync(join(tmpdir(), "apirator-"));
  try {
    cpSync("knative", folder, { recursive: true });
    writeFileSync(
      join(folder, "kustomization.yaml"),
      "resources: [crd, operator]\ncomponents: [network-policies]\n",
    );
    return render(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Policy {
  podSelector: { matchLabels?: Record<string, string> };
  policyTypes: string[];
  ingress: {
    from: { namespaceSelector: { matchLabels: Record<string, string> } }[];
    ports: { port: number }[];
  }[];
}

const queueProxyPorts = [8012, 8013, 8112, 9090, 9091];

test("with the component only knative-serving reaches the functions, through the activator", () => {
  const annotation = "autoscaling.knative.dev/target-burst-capacity";
  const guarded = renderWithPolicies();
  for (const name of ["reconcile", "resync"]) {
    const { metadata } = find(guarded, "Service", name).spec["template"] as Manifest;
    expect(metadata.annotations?.[annotation]).toBe("-1");
  }
  const policy = find(guarded, "NetworkPolicy", "apirator");
  expect(policy.metadata.namespace).toBe("apirator-system");
  const { podSelector, policyTypes, ingress } = policy.spec as unknown as Policy;
  expect({ podSelector, policyTypes }).toEqual({ podSelector: {}, policyTypes: ["Ingress"] });
  expect(ingress.map(({ ports }) => ports.map(({ port }) => port))).toEqual([queueProxyPorts]);
  expect(ingress[0]?.from).toEqual([
    { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "knative-serving" } } },
  ]);
  const without = guarded
    .filter(({ kind }) => kind !== "NetworkPolicy")
    .map((manifest) =>
      JSON.stringify(manifest)
        .replace(`"${annotation}":"-1",`, "")
        .replace(`,"${annotation}":"-1"`, ""),
    );
  expect(without.toSorted()).toEqual(
    render("knative")
      .map((manifest) => JSON.stringify(manifest))
      .toSorted(),
  );
});

test("the policy for a namespace with mocks selects the pods of mocks, by labels that reconcile gives them", () => {
  const text = readFileSync("knative/network-policies/mocks.yaml", "utf8");
  const { spec } = parse(text) as { spec: Policy };
  const { [mockLabel]: _, ...labels } = childLabels("bets", "mock");
  expect(labels).toMatchObject(spec.podSelector.matchLabels ?? {});
  expect(spec.podSelector.matchLabels).not.toEqual({});
  expect(spec.ingress[0]?.ports.map(({ port }) => port)).toEqual(queueProxyPorts);
});

test("every manifest file belongs to a kustomization", () => {
  for (const folder of ["knative/crd", "knative/operator"]) {
    const { resources } = parse(readFileSync(join(folder, "kustomization.yaml"), "utf8")) as {
      resources: string[];
    };
    expect(
      readdirSync(folder)
        .filter((file) => file.endsWith(".yaml") && file !== "kustomization.yaml")
        .sort(),
    ).toEqual(resources.toSorted());
  }
});
