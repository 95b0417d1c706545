import type { TestProject } from "vitest/node";
import { skaffoldRun } from "./skaffold.ts";

/** Installs this checkout's operator before the suites, with the shipped skaffold.yaml; quick where nothing has changed since the last time. */
export default async function setup(project: TestProject): Promise<void> {
  if (process.env["TEST_CLUSTER"] === "control-plane") return;
  project.vitest.logger.log("install the operator: skaffold run");
  await skaffoldRun();
}
