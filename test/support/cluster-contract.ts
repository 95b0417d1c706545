import { afterAll, beforeAll, describe } from "vitest";
import { admissionContract } from "./cluster-contract-admission.ts";
import { applyContract } from "./cluster-contract-apply.ts";
import { deletionContract } from "./cluster-contract-deletion.ts";
import { kindsContract, knativeContract } from "./cluster-contract-kinds.ts";
import { listContract } from "./cluster-contract-list.ts";
import { statusContract } from "./cluster-contract-status.ts";
import type { ContractWorld } from "./cluster-contract-world.ts";
import { groundOf } from "./cluster-contract-world.ts";

/**
 * Defines the tests that every implementation of the port must pass, below one `describe` of the name. The world is made once; tests use names
 * of their own in its namespace, depend on no order, and wait where a real cluster does something in the background. Those about Knative are left
 * out where the cluster does not serve its kinds.
 */
export function clusterContract(
  name: string,
  makeWorld: () => ContractWorld | Promise<ContractWorld>,
  options: { knative?: boolean } = {},
): void {
  describe(`the port to ${name}`, () => {
    let world: ContractWorld | undefined;
    const ground = groundOf(() => {
      if (world === undefined) throw new Error("the world is there while tests run");
      return world;
    });
    beforeAll(async () => {
      world = await makeWorld();
    });
    afterAll(async () => {
      await world?.close();
    });
    applyContract(ground);
    statusContract(ground);
    deletionContract(ground);
    listContract(ground);
    admissionContract(ground);
    kindsContract(ground);
    if (options.knative !== false) knativeContract(ground);
  });
}
