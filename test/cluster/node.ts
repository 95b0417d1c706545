import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { certificate, kubeconfig } from "./certificates.ts";
import { startDaemon } from "./daemons.ts";
import { kubectl } from "./kubectl.ts";
import { addresses, name, places } from "./places.ts";
import { programPath } from "./programs.ts";
import { eventually, run } from "./run.ts";

const containerdConfig = () => `
version = 2
root = "${join(places.containerd, "root")}"
state = "${join(places.containerd, "run")}"
[grpc]
  address = "${places.containerdSocket}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "dev.local/pause:1"
  # Machines without CAP_SYS_RESOURCE cannot lower the score; every sandbox fails otherwise.
  restrict_oom_score_adj = true
  # Pods' network namespaces below the state folder too, where they go away with it.
  netns_mounts_under_state_dir = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${join(places.containerd, "cni")}"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
  [plugins."io.containerd.grpc.v1.cri".registry.mirrors."${addresses.registry}"]
    endpoint = ["http://${addresses.registry}"]
`;

const podNetwork = {
  cniVersion: "0.4.0",
  name,
  plugins: [
    {
      type: "bridge",
      bridge: "cni0",
      isGateway: true,
      ipMasq: false,
      hairpinMode: true,
      ipam: {
        type: "host-local",
        dataDir: join(places.containerd, "addresses"),
        ranges: [[{ subnet: "10.244.0.0/24" }]],
        routes: [{ dst: "0.0.0.0/0" }],
      },
    },
    { type: "portmap", capabilities: { portMappings: true } },
  ],
};

const kubeletConfig = () => ({
  apiVersion: "kubelet.config.k8s.io/v1beta1",
  kind: "KubeletConfiguration",
  authentication: {
    anonymous: { enabled: false },
    webhook: { enabled: true },
    x509: { clientCAFile: certificate("ca", "crt") },
  },
  authorization: { mode: "Webhook" },
  tlsCertFile: certificate("kubelet", "crt"),
  tlsPrivateKeyFile: certificate("kubelet", "key"),
  containerRuntimeEndpoint: `unix://${places.containerdSocket}`,
  cgroupDriver: "cgroupfs",
  cgroupRoot: `/${name}`,
  failCgroupV1: false,
  failSwapOn: false,
  resolvConf: "",
  clusterDNS: [addresses.dns],
  clusterDomain: "cluster.local",
  registerNode: true,
  maxPods: 200,
  evictionHard: {
    "memory.available": "100Mi",
    "nodefs.available": "1%",
    "imagefs.available": "1%",
  },
  imageGCHighThresholdPercent: 100,
  enforceNodeAllocatable: [],
  registryPullQPS: 0,
  eventRecordQPS: 0,
  kubeAPIQPS: 200,
  kubeAPIBurst: 400,
  shutdownGracePeriod: "0s",
  // The pods of a removed cluster must not outlive it.
  runtimeRequestTimeout: "2m",
});

/** Starts containerd, with its images, containers and socket below the state folder, and waits until it answers. */
export async function startContainerd(): Promise<void> {
  mkdirSync(join(places.containerd, "cni"), { recursive: true });
  const config = join(places.containerd, "config.toml");
  writeFileSync(config, containerdConfig());
  writeFileSync(join(places.containerd, "cni", "10-pods.conflist"), JSON.stringify(podNetwork));
  await startDaemon({ name: "containerd", command: "containerd", args: ["--config", config] });
  await eventually("containerd answers", 30, async () =>
    (await ctr("version")) === "" ? undefined : true,
  );
}

/** Runs containerd's own client and answers what it printed. */
export async function ctr(...args: string[]): Promise<string> {
  return await run("ctr", ["--address", places.containerdSocket, "--namespace", "k8s.io", ...args]);
}

/** Starts scheduler, kubelet and kube-proxy, and waits until the node is Ready. */
export async function startNode(): Promise<void> {
  const kubernetes = programPath("kubernetes");
  mkdirSync(places.kubelet, { recursive: true });
  const config = join(places.kubelet, "config.json");
  writeFileSync(config, JSON.stringify(kubeletConfig()));
  await makeCgroups();
  await startDaemon({
    name: "kube-scheduler",
    ports: [10259],
    command: kubernetes,
    args: [
      "kube-scheduler",
      `--kubeconfig=${kubeconfig("scheduler")}`,
      `--authentication-kubeconfig=${kubeconfig("scheduler")}`,
      `--authorization-kubeconfig=${kubeconfig("scheduler")}`,
      "--bind-address=127.0.0.1",
      "--leader-elect=false",
    ],
  });
  await startDaemon({
    name: "kubelet",
    ports: [10250],
    command: kubernetes,
    args: [
      "kubelet",
      `--config=${config}`,
      `--kubeconfig=${kubeconfig("kubelet")}`,
      `--root-dir=${join(places.kubelet, "root")}`,
      `--cert-dir=${join(places.kubelet, "certificates")}`,
      `--hostname-override=${name}`,
      `--node-ip=${addresses.node}`,
    ],
  });
  await startDaemon({
    name: "kube-proxy",
    command: kubernetes,
    args: [
      "kube-proxy",
      `--kubeconfig=${kubeconfig("proxy")}`,
      "--proxy-mode=nftables",
      `--cluster-cidr=${addresses.pods}`,
      `--hostname-override=${name}`,
      "--conntrack-max-per-core=0",
      "--conntrack-tcp-timeout-established=0s",
      "--conntrack-tcp-timeout-close-wait=0s",
    ],
  });
  await eventually("node Ready", 90, async () => {
    const ready = await kubectl(
      "get",
      "node",
      name,
      "-o",
      'jsonpath={.status.conditions[?(@.type=="Ready")].status}',
    );
    return ready === "True" ? true : undefined;
  });
}

/** Makes the control groups that the kubelet puts all pods below, one in each hierarchy of version 1, or the one of version 2. */
async function makeCgroups(): Promise<void> {
  await run("sh", [
    "-c",
    `for group in /sys/fs/cgroup/*/cgroup.procs; do mkdir -p "$(dirname "$group")/${name}"; done; if [ -f /sys/fs/cgroup/cgroup.controllers ]; then mkdir -p /sys/fs/cgroup/${name}; fi`,
  ]);
  // A new group of the cpuset hierarchy has no processors and no memory until it is told.
  await run("sh", [
    "-c",
    `d=/sys/fs/cgroup/cpuset; if [ -d $d/${name} ]; then cat $d/cpuset.cpus > $d/${name}/cpuset.cpus; cat $d/cpuset.mems > $d/${name}/cpuset.mems; fi`,
  ]);
}
