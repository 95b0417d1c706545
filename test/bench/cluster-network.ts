import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { addresses, inside, places } from "../cluster/places.ts";

/**
 * Runs this very command inside the network of the test cluster, with its kubeconfig, and answers its exit code; undefined where there is nothing to do,
 * because KUBECONFIG names a cluster already. Throws where no test cluster is up.
 */
export async function runOnTestCluster(): Promise<number | undefined> {
  if (process.env["KUBECONFIG"] !== undefined) return undefined;
  if (!existsSync(places.kubeconfig))
    throw new Error("no test cluster is up; npm run cluster -- up brings one, with the operator by npm run test:cluster -- install"); // oxfmt-ignore
  const [command, args] = inside(process.execPath, [...process.execArgv, ...process.argv.slice(1)]);
  const path = [join(places.state, "tools"), process.env["PATH"] ?? ""].join(delimiter);
  const env = {
    ...process.env,
    PATH: path,
    KUBECONFIG: places.kubeconfig,
    LOCAL_INGRESS: addresses.localIngress,
  };
  const child = spawn(command, args, { stdio: "inherit", env });
  // The terminal sends Ctrl-C to the bench too: it ends, and this process with it.
  process.on("SIGINT", () => {});
  return await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}
