import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { certificate, kubeconfig } from "./certificates.ts";
import { startDaemon, whichEnded } from "./daemons.ts";
import { kubectl } from "./kubectl.ts";
import { addresses, places } from "./places.ts";
import { programPath } from "./programs.ts";
import { eventually } from "./run.ts";

/** What the audit log keeps: every request of the operator's own ServiceAccounts, without bodies. The tests read rights and writes from it. */
const auditPolicy = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived"],
  rules: [
    { level: "Metadata", userGroups: ["system:serviceaccounts:apirator-system"] },
    { level: "None" },
  ],
};

/** Starts etcd. What it writes is not synced to the disk: the cluster does not outlive the machine. */
export async function startEtcd(): Promise<void> {
  const client = "http://127.0.0.1:2379";
  await startDaemon({
    name: "etcd",
    ports: [2379, 2380],
    command: programPath("kubernetes"),
    args: [
      "etcd",
      `--data-dir=${join(places.state, "etcd")}`,
      "--unsafe-no-fsync",
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      "--listen-peer-urls=http://127.0.0.1:2380",
      "--log-level=warn",
    ],
  });
}

/** Starts the API server and waits until it answers that it is ready. */
export async function startApiServer(): Promise<void> {
  const policy = join(places.state, "audit-policy.json");
  mkdirSync(places.logs, { recursive: true });
  writeFileSync(policy, JSON.stringify(auditPolicy));
  await startDaemon({
    name: "kube-apiserver",
    ports: [6443],
    command: programPath("kubernetes"),
    args: [
      "kube-apiserver",
      "--etcd-servers=http://127.0.0.1:2379",
      `--advertise-address=${addresses.node}`,
      "--bind-address=0.0.0.0",
      "--secure-port=6443",
      `--service-cluster-ip-range=${addresses.services}`,
      `--tls-cert-file=${certificate("apiserver", "crt")}`,
      `--tls-private-key-file=${certificate("apiserver", "key")}`,
      `--client-ca-file=${certificate("ca", "crt")}`,
      `--kubelet-client-certificate=${certificate("kubelet-client", "crt")}`,
      `--kubelet-client-key=${certificate("kubelet-client", "key")}`,
      `--kubelet-certificate-authority=${certificate("ca", "crt")}`,
      // The node has no DNS name that anything here could resolve.
      "--kubelet-preferred-address-types=InternalIP",
      `--service-account-key-file=${certificate("service-accounts", "key")}`,
      `--service-account-signing-key-file=${certificate("service-accounts", "key")}`,
      "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
      "--authorization-mode=Node,RBAC",
      "--allow-privileged=true",
      "--profiling=false",
      `--audit-policy-file=${policy}`,
      `--audit-log-path=${places.audit}`,
      "--audit-log-mode=blocking",
      "--shutdown-delay-duration=0s",
    ],
  });
  await eventually(
    "kube-apiserver ready",
    60,
    async () => ((await kubectl("get", "--raw", "/readyz")) === "ok" ? true : undefined),
    () => whichEnded("etcd", "kube-apiserver"),
  );
}

/** Starts the controller manager: garbage collection, roll-outs, ServiceAccounts. */
export async function startControllerManager(): Promise<void> {
  await startDaemon({
    name: "kube-controller-manager",
    ports: [10257],
    command: programPath("kubernetes"),
    args: [
      "kube-controller-manager",
      `--kubeconfig=${kubeconfig("controller-manager")}`,
      `--authentication-kubeconfig=${kubeconfig("controller-manager")}`,
      `--authorization-kubeconfig=${kubeconfig("controller-manager")}`,
      "--bind-address=127.0.0.1",
      "--leader-elect=false",
      "--use-service-account-credentials=true",
      `--root-ca-file=${certificate("ca", "crt")}`,
      `--service-account-private-key-file=${certificate("service-accounts", "key")}`,
      `--cluster-cidr=${addresses.pods}`,
      "--allocate-node-cidrs=true",
      "--node-cidr-mask-size=24",
      "--kube-api-qps=200",
      "--kube-api-burst=400",
    ],
  });
  // A namespace takes objects of pods only once its default ServiceAccount is there.
  await eventually(
    "the default ServiceAccount",
    60,
    async () => {
      await kubectl("get", "serviceaccount", "default", "--namespace", "default");
      return true;
    },
    () => whichEnded("kube-apiserver", "kube-controller-manager"),
  );
}
