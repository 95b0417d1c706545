import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { eventually, run } from "./run.ts";
import { apply, get, kubectl, list } from "./support/kube.ts";
import { definition, mockOf, ownNamespace, ready } from "./support/mocks.ts";
import { sourcesAwake, tapReferences, untapReferences } from "./support/senders.ts";
import { checkout } from "./support/skaffold.ts";
import { attribute, type Sink, startSink } from "./support/sink.ts";

const namespace = ownNamespace("replay");
const host = "reconcile.apirator-system.svc.cluster.local";
let sink: Sink;
let folder = "";
let recording = "";
let number = 0;

beforeAll(async () => {
  sink = await startSink();
  await tapReferences(namespace, sink);
  await sourcesAwake(namespace, sink, ["references"]);
  await apply(mockOf(namespace, "pets", { definition: definition("1") }));
  await ready(namespace, "pets");
  await eventually("events of the mock and both children", 60, () => {
    const kinds = sink.received("references").map((each) => attribute(each, "kind"));
    return Promise.resolve(new Set(kinds).size >= 3 ? true : undefined);
  });
  const requests = [...sink.received("references")];
  number = requests.length;
  folder = mkdtempSync(join(tmpdir(), "apirator-replay-"));
  // Built as in the image: with another compiler than the operator's, each would write what it makes.
  await run(process.execPath, [join(checkout, "build.ts"), join(folder, "dist")], {
    cwd: checkout,
  });
  recording = join(folder, "events.ndjson");
  writeFileSync(recording, requests.map((each) => JSON.stringify(each)).join("\n"));
}, 240_000);

afterAll(async () => {
  await untapReferences(namespace);
  sink.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs `apirator replay` as a person would, and answers what it printed. */
function replay(...options: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const args = [join(folder, "dist/cli.cjs"), "replay", recording, ...options];
    execFile(process.execPath, args, (error, out, err) => {
      const code = error === null ? 0 : Number(error.code ?? 1);
      resolve({ code, out, err });
    });
  });
}

/** Answers the outcome and what was written, of each event in the report. */
function rowsOf(out: string): string[] {
  const lines = out.trimEnd().split("\n").slice(1, -1);
  return lines.map((line) => line.trim().split(/ {2,}/).slice(-2).join(": "));
}

test("a recording is replayed on its cluster: all is done, and nothing had to be written", async () => {
  const { code, out, err } = await replay("--cluster", "--yes");
  expect({ code, out }).toMatchObject({ code: 0 });
  expect(err).toMatch(/^context \S+, API server https:\/\/\S+\n$/);
  expect(rowsOf(out)).toEqual(Array(number).fill("done: nothing"));
  expect(out).toMatch(new RegExp(`^${number} events, ${number} done, 0 retry$`, "m"));
});

test("where a child was deleted, a replay ends with it in place, and the mock as it was", async () => {
  const [configMap] = await list("configmap", namespace, "apirator.io/mock=pets");
  const name = configMap?.metadata.name ?? "";
  const generation = (await get("apimock", namespace, "pets"))?.metadata.generation ?? 0;
  await kubectl(["delete", "configmap", name, "--namespace", namespace]);
  const { code } = await replay("--cluster", "--yes");
  expect(code).toBe(0);
  expect(await get("configmap", namespace, name)).toBeDefined();
  expect((await ready(namespace, "pets")).metadata.generation).toBe(generation);
});

test("a recording is replayed to the installed function, through the ingress", async () => {
  const url = await doorTo(host);
  const { code, out } = await replay("--to", url);
  expect({ code, out }).toMatchObject({ code: 0 });
  expect(rowsOf(out)).toEqual(Array(number).fill("done: -"));
});

test("what a replay leaves is the mock as it was, Ready, with one definition", async () => {
  await ready(namespace, "pets");
  expect(await list("configmap", namespace, "apirator.io/mock=pets")).toHaveLength(1);
  expect(await list("revision", namespace, "serving.knative.dev/service=pets")).toHaveLength(1);
});

/** Answers a URL of this process behind which the host's door at the ingress is: names of the cluster are not known outside it. */
async function doorTo(name: string): Promise<string> {
  const ingress = process.env["LOCAL_INGRESS"];
  if (ingress === undefined) return `http://${name}/`;
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const onwards = { host: ingress, method, path: url, headers: { ...headers, host: name } };
    const call = request(onwards, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    call.on("error", () => outgoing.writeHead(502).end());
    incoming.pipe(call);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
