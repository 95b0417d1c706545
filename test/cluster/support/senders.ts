import { eventually } from "../run.ts";
import { apply, get, kubectl, remove, until } from "./kube.ts";
import { condition, mockOf } from "./mocks.ts";
import { attribute, type Sink } from "./sink.ts";

const system = "apirator-system";

/** Lets the installed source's events about a namespace come to the sink's `references` too, by a Trigger on the operator's Broker, until `untapReferences`. */
export async function tapReferences(namespace: string, sink: Sink): Promise<void> {
  await apply({
    apiVersion: "eventing.knative.dev/v1",
    kind: "Trigger",
    metadata: { namespace: system, name: namespace },
    spec: {
      broker: "apirator",
      filters: [{ exact: { namespace } }],
      subscriber: { uri: sink.url("references") },
    },
  });
  await isReady("trigger", system, namespace);
}

/** Takes the Trigger of `tapReferences` away. */
export async function untapReferences(namespace: string): Promise<void> {
  await remove("trigger", system, namespace);
}

/** Makes a source of the namespace in Resource mode, which sends to the sink's `resources`, and a PingSource that sends to its `pings` every five seconds. */
export async function startSenders(
  namespace: string,
  sink: Sink,
  resources: readonly object[],
): Promise<void> {
  const named = { namespace, name: "recorder" };
  const group = "rbac.authorization.k8s.io";
  const verbs = ["get", "list", "watch"];
  await apply([
    { apiVersion: "v1", kind: "ServiceAccount", metadata: named },
    {
      apiVersion: `${group}/v1`,
      kind: "Role",
      metadata: named,
      rules: [
        { apiGroups: ["apirator.io"], resources: ["apimocks"], verbs },
        { apiGroups: [""], resources: ["configmaps"], verbs },
        { apiGroups: ["serving.knative.dev"], resources: ["services"], verbs },
      ],
    },
    {
      apiVersion: `${group}/v1`,
      kind: "RoleBinding",
      metadata: named,
      roleRef: { apiGroup: group, kind: "Role", name: "recorder" },
      subjects: [{ kind: "ServiceAccount", ...named }],
    },
    {
      apiVersion: "sources.knative.dev/v1",
      kind: "ApiServerSource",
      metadata: named,
      spec: {
        mode: "Resource",
        serviceAccountName: "recorder",
        resources,
        sink: { uri: sink.url("resources") },
      },
    },
    {
      apiVersion: "sources.knative.dev/v1",
      kind: "PingSource",
      metadata: named,
      spec: {
        schedule: "*/5 * * * * *",
        contentType: "application/json",
        data: "{}",
        sink: { uri: sink.url("pings") },
      },
    },
  ]);
  await isReady("apiserversource", namespace, "recorder");
  await isReady("pingsource", namespace, "recorder");
}

async function isReady(kind: string, namespace: string, name: string): Promise<void> {
  await until(
    `${kind} ${name} Ready`,
    90,
    async () => await get(kind, namespace, name),
    (object) => condition(object, "Ready")?.status === "True",
  );
}

/** Waits until the sources see what happens in the namespace: a new namespace makes the installed source start again. Then forgets all that came. */
export async function sourcesAwake(
  namespace: string,
  sink: Sink,
  wanted: readonly string[],
): Promise<void> {
  await kubectl([
    "rollout",
    "status",
    "deployment",
    "--namespace",
    system,
    "--selector",
    "eventing.knative.dev/sourceName=apirator",
    "--timeout=90s",
  ]);
  const seen = (verb: string): boolean =>
    wanted.every((channel) =>
      sink
        .received(channel)
        .some(
          (request) =>
            attribute(request, "name") === "canary" && attribute(request, "type").endsWith(verb),
        ),
    );
  let touched = 0;
  await eventually("the sources send", 90, async () => {
    const canary = mockOf(namespace, "canary", { definition: `no definition ${(touched += 1)}` });
    await apply(canary);
    return seen("update") ? true : undefined;
  });
  await remove("apimock", namespace, "canary");
  await eventually("the sources send a delete", 60, () =>
    Promise.resolve(seen("delete") ? true : undefined),
  );
  sink.clear();
}
