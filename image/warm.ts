import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

// Runs each function once as the image will, so that Node writes V8's code cache (NODE_COMPILE_CACHE). Asks nobody but itself.
const dist = fileURLToPath(new URL(".", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "apirator-warm-"));
const port = "18080";
const json = { "Content-Type": "application/json" };

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const document = file(
  "warm.json",
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Warm", version: "1" },
    paths: {
      "/": {
        post: {
          requestBody: { content: { "application/json": { schema: { type: "integer" } } } },
          responses: {
            200: { description: "ok", content: { "application/json": { example: 1 } } },
          },
        },
      },
    },
  }),
);
const kubeconfig = file(
  "kubeconfig",
  JSON.stringify({
    "current-context": "none",
    contexts: [{ name: "none", context: { cluster: "none", user: "none" } }],
    // The port of discard: every call fails at once.
    clusters: [{ name: "none", cluster: { server: "https://127.0.0.1:9" } }],
    users: [{ name: "none", user: { token: "none" } }],
  }),
);
const definition = join(folder, "warm.compiled");

/** Starts the function, sends it the request until it answers, and ends it. */
async function warm(name: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const environment = {
    PORT: port,
    KUBECONFIG: kubeconfig,
    MOCK_IMAGE: "apirator",
    RECONCILE_URL: "http://127.0.0.1:9",
    DEFINITION: definition,
  };
  const program = spawn(process.execPath, [join(dist, "start.cjs"), name], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(program, "exit");
  let status: number | undefined;
  for (
    let tries = 0;
    status === undefined && program.exitCode === null && tries < 400;
    tries += 1
  ) {
    await setTimeout(25);
    status = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body: "1" }).then(
      (response) => response.status,
      () => undefined,
    );
  }
  program.kill();
  await ended;
  if (status === undefined) throw new Error(`${name} does not answer`);
  process.stdout.write(`${name} answered ${status}\n`);
}

function event(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const all = { specversion: "1.0", id: "1", source: "/warm", ...attributes };
  return {
    ...json,
    ...Object.fromEntries(Object.entries(all).map(([name, value]) => [`ce-${name}`, value])),
  };
}

async function run(): Promise<void> {
  execFileSync(process.execPath, [join(dist, "cli.cjs"), "compile", document, "-o", definition]);
  await warm("mock", json);
  await warm("resync", event({ type: "dev.knative.sources.ping" }));
  const key = { namespace: "warm", name: "warm" };
  const about = { apiversion: "apirator.io/v1alpha1", kind: "APIMock", ...key };
  await warm("reconcile", event({ type: "dev.knative.apiserver.ref.add", ...about }));
}

run()
  .catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  })
  .finally(() => rmSync(folder, { recursive: true }));
