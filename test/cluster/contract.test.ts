import { randomBytes } from "node:crypto";
import { httpCluster } from "../../lib/cluster/http.ts";
import { findAccess } from "../../lib/cluster/kubeconfig.ts";
import { clusterContract } from "../support/cluster-contract.ts";
import { apply, kubectl } from "./support/kube.ts";

// A control plane alone has Knative's kinds without what defaults and checks them.
const knative = process.env["TEST_CLUSTER"] !== "control-plane";

const makeWorld = async () => {
  const environment = { KUBECONFIG: process.env["KUBECONFIG"] };
  const as = (manager: string) => httpCluster(() => findAccess({ environment }), { manager });
  const namespace = `contract-${randomBytes(3).toString("hex")}`;
  await kubectl(["apply", "--server-side", "--force-conflicts", "-k", "knative/crd"]);
  await kubectl([
    "wait",
    "--for=condition=Established",
    "--timeout=60s",
    "crd/apimocks.apirator.io",
  ]);
  await apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  return {
    cluster: as("apirator"),
    as,
    namespace,
    close: async () => {
      await kubectl(["delete", "namespace", namespace, "--wait=false"]);
    },
  };
};

clusterContract("a real API server", makeWorld, { knative });
