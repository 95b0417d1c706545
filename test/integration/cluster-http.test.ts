import { type HttpOptions, httpCluster } from "../../lib/cluster/http.ts";
import { findAccess } from "../../lib/cluster/kubeconfig.ts";
import { startApiServer } from "../support/api-server.ts";
import { clusterContract } from "../support/cluster-contract.ts";
import { testCluster } from "../support/memory.ts";

clusterContract("an API server over HTTPS", async () => {
  const memory = testCluster();
  const server = await startApiServer((manager) => memory.as(manager));
  const environment = { KUBECONFIG: server.kubeconfig() };
  const as = (manager: string) => {
    const options: HttpOptions = { manager, now: () => new Date("2030-01-01T00:00:00Z") };
    return httpCluster(() => findAccess({ environment }), options);
  };
  return {
    cluster: as("apirator"),
    as,
    namespace: "contract",
    close: async () => await server.close(),
  };
});
