import { randomUUID } from "node:crypto";
import * as http from "node:http";
import * as https from "node:https";
import { fileURLToPath } from "node:url";
import { buildOf } from "../../lib/build.ts";
import { clockOf } from "../../lib/clock.ts";
import { type Event, toRequest } from "../../lib/cloudevent.ts";
import { httpCluster } from "../../lib/cluster/http.ts";
import { findAccess } from "../../lib/cluster/kubeconfig.ts";
import { createCompiler } from "../../lib/compiler/compiler.ts";
import { jsonLog } from "../../lib/log.ts";
import { createMetrics } from "../../lib/metrics.ts";
import { closeOnSignal, serve } from "../../lib/serve.ts";
import { createResyncApp } from "./app.ts";
import { readEnvironment } from "./settings.ts";

/** Milliseconds that a resync at work may take once the process is asked to end; what is left is found by the next. */
const grace = 25_000;

/** Milliseconds that `reconcile` may take to answer: as long as its KService lets it. */
const patience = 120_000;

async function start(): Promise<void> {
  const environment = readEnvironment(process.env);
  if (typeof environment === "string") throw new Error(environment);
  const { port, image, reconcile } = environment;
  const log = jsonLog((line) => process.stdout.write(line));
  const app = createResyncApp({
    cluster: httpCluster(() => findAccess({ environment: process.env })),
    build: () => buildOf({ image, compiler: compilerVersion() }),
    post: poster(new URL(reconcile)),
    clock: clockOf(Date.now),
    random: Math.random,
    id: randomUUID,
    log,
    metrics: createMetrics(),
  });
  const serving = await serve(app, { port, host: "0.0.0.0" });
  await closeOnSignal(serving, grace);
}

/** The compiler is never started here: only its version is asked for. */
function compilerVersion(): string {
  const isBuilt = !import.meta.url.endsWith(".ts");
  const entry = isBuilt ? "compile.cjs" : "../../lib/compiler/main.ts";
  return createCompiler({ entry: fileURLToPath(new URL(entry, import.meta.url)) }).version;
}

/** Over kept connections, and without Node's fetch: loading that costs a cold start 50 ms. */
function poster(url: URL): (event: Event) => Promise<number> {
  const { request, Agent } = url.protocol === "https:" ? https : http;
  const agent = new Agent({ keepAlive: true });
  return async (event) => {
    const { headers, body } = toRequest(event);
    return await new Promise<number>((resolve) => {
      const options = { method: "POST", agent, headers, timeout: patience };
      const sent = request(url, options, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      sent.on("timeout", () => sent.destroy());
      sent.on("error", () => resolve(0));
      sent.end(body);
    });
  };
}

start().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
