import type { TestProject } from "vitest/node";
import { kubectl } from "./kube.ts";
import { skaffoldRun } from "./skaffold.ts";

/** Installs this checkout's operator before the suites, with the shipped skaffold.yaml; quick where nothing has changed since the last time. */
export default async function setup(project: TestProject): Promise<void> {
  if (process.env["TEST_CLUSTER"] === "control-plane") return;
  if (process.env["TEST_CLUSTER"] === undefined) await requireNobodysMocks();
  project.vitest.logger.log("install the operator: skaffold run");
  await skaffoldRun();
}

/** The suites delete every APIMock, and the CRD: on a cluster that may be somebody's they do not begin while it has mocks. */
async function requireNobodysMocks(): Promise<void> {
  const kind = await kubectl(["get", "crd", "apimocks.apirator.io", "--ignore-not-found"]);
  if (kind === "") return;
  const mocks = await kubectl(["get", "apimocks", "--all-namespaces", "--output=name"]);
  if (mocks === "") return;
  throw new Error(
    `the cluster of KUBECONFIG has ${mocks.trimEnd().split("\n").length} APIMocks, and the suites would delete them: name a cluster for tests alone, or delete them first`,
  );
}
