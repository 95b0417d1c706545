import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { type AuditedCall, auditedCalls } from "./support/audit.ts";
import { eventually } from "./run.ts";
import { apply, get, kubectl, list, remove, type Seen, until } from "./support/kube.ts";
import { ask, condition, definition, mockOf, ownNamespace, ready } from "./support/mocks.ts";

/** The name sorts last: the audit log has then seen everything that the other suites did. */
const namespace = ownNamespace("rights");
const system = "apirator-system";
const start = Date.now();

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

interface Role {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly rules: readonly Rule[];
}

const accounts = ["reconcile", "resync", "source"] as const;
const shipped = parseAllDocuments(readFileSync("knative/operator/rbac.yaml", "utf8"))
  .map((document) => document.toJS() as Role)
  .filter(({ kind }) => kind === "ClusterRole");

/** Answers a role's rights, one a text: `patch apimocks.apirator.io/status`. */
function rightsOf(account: string): string[] {
  const role = shipped.find(({ metadata }) => metadata.name === `apirator-${account}`);
  return (role?.rules ?? []).flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) => {
        const [plural = "", subresource] = resource.split("/");
        const named = `${plural}${group && `.${group}`}${subresource ? `/${subresource}` : ""}`;
        return verbs.map((verb) => `${verb} ${named}`);
      }),
    ),
  );
}

/** Answers the rights that a call needed. An apply that made its object needed create beside patch. */
function neededFor({ verb, resource, status }: AuditedCall): string[] {
  const verbs = verb === "patch" && status === 201 ? ["patch", "create"] : [verb];
  return verbs.map((each) => `${each} ${resource}`);
}

/** A finalizer keeps a child past its owner: the garbage collector alone would be quicker than any reconcile. */
async function hold(children: readonly (readonly [string, string])[], on: boolean): Promise<void> {
  const finalizers = on ? ["apirator.test/hold"] : [];
  const change = JSON.stringify({ metadata: { finalizers } });
  for (const [kind, name] of children)
    await kubectl([
      "patch",
      kind,
      name,
      "--namespace",
      namespace,
      "--type=merge",
      `--patch=${change}`,
    ]);
}

/** Answers how many objects of this namespace reconcile has removed. */
function removedBy(check: (call: AuditedCall) => boolean): number {
  const removals = auditedCalls(start).filter(
    (call) =>
      call.verb === "delete" && call.status === 200 && call.namespace === namespace && check(call),
  );
  return new Set(removals.map(({ name }) => name)).size;
}

async function applyMock(name: string, spec: object): Promise<void> {
  await apply(mockOf(namespace, name, spec));
}

async function resync(data: object): Promise<number> {
  const { status } = await ask(`http://resync.${system}.svc.cluster.local/`, {
    method: "POST",
    body: JSON.stringify(data),
    headers: {
      "ce-specversion": "1.0",
      "ce-id": `rights-${Date.now()}`,
      "ce-type": "dev.knative.sources.ping",
      "ce-source": "/rights",
    },
  });
  return status;
}

beforeAll(async () => {
  // Everything that the functions do is done once here, by which every right is needed once.
  await applyMock("many", { definition: definition("1") });
  await ready(namespace, "many");
});

test("the rights that are installed are the ones that are shipped", async () => {
  for (const role of shipped) {
    const { rules } = JSON.parse(
      await kubectl(["get", "clusterrole", role.metadata.name, "--output", "json"]),
    ) as Role;
    expect(rules).toEqual(role.rules);
  }
});

test("the old finalizer is taken away", async () => {
  await apply({
    ...mockOf(namespace, "old", { definition: definition("1") }),
    metadata: { namespace, name: "old", finalizers: ["finalizer.ingress.apirator.io"] },
  });
  const mock = await ready(namespace, "old");
  expect(mock.metadata.finalizers).toBeUndefined();
});

test("a definition is read out of a shared ConfigMap, and a change of it is served", async () => {
  const shared = (version: string) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace, name: "shared", labels: { "apirator.io/definition": "true" } },
    data: { "openapi.yaml": definition(version) },
  });
  await apply(shared("1"));
  await applyMock("sharing", {
    definitionFrom: { configMapKeyRef: { name: "shared", key: "openapi.yaml" } },
  });
  const { status } = await ready(namespace, "sharing");
  await apply(shared("2"));
  const after = await until(
    "sharing with another definition",
    60,
    async () => await get("apimock", namespace, "sharing"),
    (mock) => mock.status?.definition?.hash !== status?.definition?.hash,
  );
  expect(after.status?.definition?.operations).toBe(1);
});

test("a ConfigMap gets its label back", async () => {
  const [configMap] = await list("configmap", namespace, "apirator.io/mock=many");
  const name = configMap?.metadata.name ?? "";
  await kubectl(["label", "configmap", name, "--namespace", namespace, "apirator.io/mock-"]);
  const label = ({ metadata }: Seen) => metadata.labels?.["apirator.io/mock"];
  const after = await until(
    `${name} labelled`,
    60,
    async () => await get("configmap", namespace, name),
    (object) => label(object) !== undefined,
  );
  expect(label(after)).toBe("many");
});

test("what a mock of the same name left behind is removed, and made anew", async () => {
  await ready(namespace, "old");
  const before = await get("ksvc", namespace, "old");
  const [configMap] = await list("configmap", namespace, "apirator.io/mock=old");
  const children = [
    ["ksvc", "old"],
    ["configmap", configMap?.metadata.name ?? ""],
  ] as const;
  await hold(children, true);
  try {
    await remove("apimock", namespace, "old");
    await applyMock("old", { definition: definition("1") });
    await eventually("reconcile has removed both", 60, () =>
      Promise.resolve(removedBy(({ name }) => name.startsWith("old")) >= 2 ? true : undefined),
    );
  } finally {
    await hold(children, false);
  }
  await ready(namespace, "old");
  expect((await get("ksvc", namespace, "old"))?.metadata.uid).not.toBe(before?.metadata.uid);
});

test("Revisions and definitions that nothing uses any more are pruned", async () => {
  for (const version of ["2", "3", "4"]) {
    await applyMock("many", { definition: definition(version) });
    await ready(namespace, "many");
  }
  const revisions = await list("revision", namespace, "serving.knative.dev/service=many");
  expect(revisions).toHaveLength(4);
  // What makes them old enough is ten minutes; nothing else is made up.
  const long = new Date(Date.now() - 3_600_000).toISOString();
  await kubectl([
    "annotate",
    "revision",
    "--namespace",
    namespace,
    "--selector",
    "serving.knative.dev/service=many,serving.knative.dev/routingState=reserve",
    "--overwrite",
    `serving.knative.dev/routingStateModified=${long}`,
  ]);
  const configMaps = await list("configmap", namespace, "apirator.io/mock=many");
  expect(configMaps).toHaveLength(4);
  await eventually("a Revision and a ConfigMap are removed", 120, async () => {
    expect(await resync({ all: true })).toBe(204);
    return removedBy(({ name }) => name.startsWith("many-")) >= 2 ? true : undefined;
  });
  expect(await list("revision", namespace, "serving.knative.dev/service=many")).toHaveLength(3);
  expect(await list("configmap", namespace, "apirator.io/mock=many")).toHaveLength(3);
});

test("a source that may only watch is refused by Knative, which asks for get and list too", async () => {
  const named = { namespace, name: "watcher" };
  const kind = "rbac.authorization.k8s.io";
  await apply([
    { apiVersion: "v1", kind: "ServiceAccount", metadata: named },
    {
      apiVersion: `${kind}/v1`,
      kind: "Role",
      metadata: named,
      rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["watch"] }],
    },
    {
      apiVersion: `${kind}/v1`,
      kind: "RoleBinding",
      metadata: named,
      roleRef: { apiGroup: kind, kind: "Role", name: "watcher" },
      subjects: [{ kind: "ServiceAccount", ...named }],
    },
    {
      apiVersion: "sources.knative.dev/v1",
      kind: "ApiServerSource",
      metadata: named,
      spec: {
        serviceAccountName: "watcher",
        resources: [{ apiVersion: "v1", kind: "ConfigMap" }],
        sink: { uri: "http://nobody.invalid" },
      },
    },
  ]);
  const source = await until(
    "a judgement on the source's rights",
    60,
    async () => await get("apiserversource", namespace, "watcher"),
    (object) => condition(object, "SufficientPermissions")?.status === "False",
  );
  expect(condition(source, "SufficientPermissions")?.message).toMatch(/get.*list|list.*get/s);
  await remove("apiserversource", namespace, "watcher");
});

test("the resync lists, and each right of each account has been needed", async () => {
  expect(await resync({})).toBe(204);
  const calls = auditedCalls();
  for (const account of accounts) {
    const used = new Set(
      calls
        .filter(({ who, status, time }) => who === account && status < 400 && time >= since(who))
        .flatMap((call) => neededFor(call)),
    );
    const unused = rightsOf(account).filter(
      (right) => !used.has(right) && !isDemanded(account, right),
    );
    expect({ account, unused }).toEqual({ account, unused: [] });
  }
});

/** Knative makes no adapter for an account that may not get and list as well: the test above. */
function isDemanded(account: string, right: string): boolean {
  return account === "source" && /^(get|list) /.test(right);
}

/** The functions did it all in this file; the source has been watching for longer. */
function since(account: string): number {
  return account === "source" ? 0 : start;
}

test("no call of the operator lacked a right", () => {
  const calls = auditedCalls();
  expect(calls.length).toBeGreaterThan(0);
  const lacking = calls.filter((call, index) => call.lacked && hadRights(call, calls.slice(index)));
  expect(lacking).toEqual([]);
});

/** An account whose every later call is refused has been uninstalled, and its last pods have not ended yet. */
function hadRights({ account }: AuditedCall, later: readonly AuditedCall[]): boolean {
  return later.some((call) => call.account === account && call.name !== "" && call.status < 400);
}
