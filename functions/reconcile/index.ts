import { fileURLToPath } from "node:url";
import { clockOf } from "../../lib/clock.ts";
import { httpCluster } from "../../lib/cluster/http.ts";
import { findAccess } from "../../lib/cluster/kubeconfig.ts";
import { createCompiler } from "../../lib/compiler/compiler.ts";
import { jsonLog } from "../../lib/log.ts";
import { createMetrics } from "../../lib/metrics.ts";
import { closeOnSignal, serve } from "../../lib/serve.ts";
import { createReconcileApp } from "./app.ts";
import { readEnvironment } from "./settings.ts";

/** Milliseconds that requests at work may take once the process is asked to end: a run's time and one call. Knative waits 120 s. */
const grace = 45_000;

async function start(): Promise<void> {
  const environment = readEnvironment(process.env);
  if (typeof environment === "string") throw new Error(environment);
  const { port, settings } = environment;
  const isBuilt = !import.meta.url.endsWith(".ts");
  const entry = isBuilt ? "compile.cjs" : "../../lib/compiler/main.ts";
  const compiler = createCompiler({ entry: fileURLToPath(new URL(entry, import.meta.url)) });
  const log = jsonLog((line) => process.stdout.write(line));
  const app = createReconcileApp({
    cluster: httpCluster(() => findAccess({ environment: process.env })),
    compiler,
    settings,
    clock: clockOf(Date.now),
    log,
    metrics: createMetrics(),
  });
  const serving = await serve(app, { port, host: "0.0.0.0" });
  await closeOnSignal(serving, grace);
  await compiler.close();
}

start().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
