import { clusterContract } from "../support/cluster-contract.ts";
import { testCluster } from "../support/memory.ts";

clusterContract("a cluster in memory", () => {
  const memory = testCluster();
  return {
    cluster: memory.as("apirator"),
    as: (manager) => memory.as(manager),
    namespace: "contract",
    close: async () => {},
  };
});
