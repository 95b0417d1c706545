import { readFileSync } from "node:fs";
import type { Compiled } from "../../lib/compiled/compiled.ts";
import { unpack } from "../../lib/compiled/pack.ts";
import { jsonLog } from "../../lib/log.ts";
import { closeOnSignal, serve } from "../../lib/serve.ts";
import { createMockApp } from "./app.ts";
import { readEnvironment } from "./settings.ts";

/** How long requests at work may take once the process is asked to end, in milliseconds; Kubernetes kills after 30 s. */
const grace = 25_000;

async function start(): Promise<void> {
  const environment = readEnvironment(process.env);
  if (typeof environment === "string") throw new Error(environment);
  const { port, definition, settings } = environment;
  const compiled = load(definition);
  const log = jsonLog((line) => process.stdout.write(line));
  const app = createMockApp({ compiled, settings, log, random: Math.random });
  const serving = await serve(app, { port, host: "0.0.0.0" });
  log("debug", "serving", { url: serving.url, operations: compiled.operations.length });
  await closeOnSignal(serving, grace);
}

function load(file: string): Compiled {
  try {
    return unpack(readFileSync(file));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`DEFINITION=${file} cannot be loaded: ${why}`, { cause: error });
  }
}

start().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
