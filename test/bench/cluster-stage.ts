import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { request } from "node:http";
import type { Cluster } from "../../lib/cluster/cluster.ts";
import { httpCluster } from "../../lib/cluster/http.ts";
import { findAccess } from "../../lib/cluster/kubeconfig.ts";
import { eventually } from "../cluster/run.ts";
import { apply, kubectl } from "../cluster/support/kube.ts";

/** What the bench works with on a cluster: a namespace of its own. */
export interface Stage {
  readonly namespace: string;
  /** Writes as a person would, from this process: `kubectl` itself takes a tenth of a second. */
  readonly cluster: Cluster;
  close(): Promise<void>;
}

const open = new Set<string>();

/** Sends the deletion of every stage that is still open, and waits for nothing: for a bench that is interrupted. */
export function abandonStages(): void {
  for (const namespace of open)
    spawn("kubectl", ["delete", "namespace", namespace, "--wait=false"], {
      detached: true,
      stdio: "ignore",
    }).unref();
}

/** Makes the namespace, under the restricted Pod Security Standard, and waits until the event source has started again because of it. */
export async function openStage(): Promise<Stage> {
  const namespace = `bench-${randomBytes(3).toString("hex")}`;
  const environment = { KUBECONFIG: process.env["KUBECONFIG"] };
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  open.add(namespace);
  await apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels } });
  await kubectl([
    "rollout",
    "status",
    "deployment",
    "--namespace=apirator-system",
    "--selector=eventing.knative.dev/sourceName=apirator",
    "--timeout=120s",
  ]);
  return {
    namespace,
    cluster: httpCluster(() => findAccess({ environment }), { manager: "bench" }),
    close: async () => {
      open.delete(namespace);
      await kubectl(["delete", "namespace", namespace, "--wait=false"]);
    },
  };
}

/** Answers an APIMock whose `GET /version` answers the version. */
export function mockOf(namespace: string, name: string, version: string, least = 0) {
  const definition = `openapi: 3.1.0
info: {title: Bench, version: "${version}"}
paths:
  /version:
    get:
      responses:
        "200":
          description: the version in service
          content: {application/json: {example: {version: "${version}"}}}
`;
  const spec = { definition, scale: { min: least } };
  return {
    apiVersion: "apirator.io/v1alpha1",
    kind: "APIMock",
    metadata: { namespace, name },
    spec,
  };
}

/**
 * Answers the KService of the static program as anyone would write it, with the limits of a mock. It mounts its token as any pod does, a mock its
 * definition instead: the kubelet waits 300 ms for the first volume, whatever it is.
 */
export function helloOf(namespace: string, name: string): object {
  const container = {
    image: "dev.local/hello:1",
    ports: [{ containerPort: 8080, name: "http1" }],
    readinessProbe: { successThreshold: 1, tcpSocket: { port: 0 } },
    resources: { limits: { memory: "256Mi" }, requests: { cpu: "25m", memory: "64Mi" } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    },
  };
  return {
    apiVersion: "serving.knative.dev/v1",
    kind: "Service",
    metadata: {
      namespace,
      name,
      labels: { "networking.knative.dev/visibility": "cluster-local" },
    },
    spec: { template: { spec: { containers: [container] } } },
  };
}

/** Answers the host that a KService has inside the cluster. */
export function hostOf(namespace: string, name: string): string {
  return `${name}.${namespace}.svc.cluster.local`;
}

/** Sends a GET through the cluster-local ingress on a new connection. Answers the status and the body; rejects where nothing answers in a minute. */
export function ask(host: string, path: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const to = process.env["LOCAL_INGRESS"] ?? host;
    const call = request(
      { host: to, path, headers: { host }, agent: false, timeout: 60_000 },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        answer.on("error", reject);
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
      },
    );
    call.on("timeout", () => call.destroy(new Error(`${host}: no answer in a minute`)));
    call.on("error", reject);
    call.end();
  });
}

/** Asks until the answer has status 200 and contains the text, at most for two minutes. Answers the milliseconds since `start`. */
export async function answered(host: string, text: string, start: number): Promise<number> {
  for (;;) {
    const answer = await ask(host, "/version").catch(() => undefined);
    const since = performance.now() - start;
    if (answer?.status === 200 && answer.text.includes(text)) return since;
    if (since > 120_000) throw new Error(`${host} does not answer ${text} after two minutes`);
    await new Promise((wake) => setTimeout(wake, 25));
  }
}

/** Waits until none of the KServices has a pod left. Each is `NAMESPACE/NAME`. */
export async function atRest(services: readonly string[]): Promise<void> {
  for (const service of services) {
    const [namespace = "", name = ""] = service.split("/");
    await eventually(`${service} without a pod`, 300, async () => {
      const selector = `serving.knative.dev/service=${name}`;
      const pods = await kubectl(["get", "pods", "-n", namespace, "-l", selector, "-o", "name"]);
      if (pods !== "") await new Promise((wake) => setTimeout(wake, 2000));
      return pods === "" ? true : undefined;
    });
  }
}
