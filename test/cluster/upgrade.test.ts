import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apply, get, until } from "./support/kube.ts";
import {
  ask,
  condition,
  definition,
  mockOf,
  ownNamespace,
  ready,
  serves,
} from "./support/mocks.ts";
import { checkout, skaffoldRun } from "./support/skaffold.ts";

const namespace = ownNamespace("upgrade");
const names = ["first", "second", "third"];
let newer = "";

beforeAll(() => {
  newer = mkdtempSync(join(tmpdir(), "apirator-newer-"));
  execFileSync("cp", ["-r", ...sources(), newer], { cwd: checkout });
  // What a newer version brings: other code in the image, and another template of a mock's workload.
  const kservice = join(newer, "functions/reconcile/kservice.ts");
  const text = readFileSync(kservice, "utf8");
  const changed = text.replace(
    'requests: { cpu: "25m", memory: "64Mi" }',
    'requests: { cpu: "25m", memory: "65Mi" }',
  );
  if (changed === text)
    throw new Error("the template of a mock no longer has what this test changes");
  writeFileSync(kservice, changed);
});

afterAll(async () => {
  rmSync(newer, { recursive: true, force: true });
  await skaffoldRun();
});

/** Answers what an image and an install are made of. */
function sources(): string[] {
  return [
    "Dockerfile",
    ".dockerignore",
    ".npmrc",
    "build.ts",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "skaffold.yaml",
    "cli",
    "functions",
    "image",
    "knative",
    "lib",
  ];
}

/** Asks each URL over and over, at most ten times a second, until told to stop; answers how often, and what was not 200. */
function steadyLoad(urls: readonly string[]): () => Promise<{ asked: number; failed: string[] }> {
  const stop = new AbortController();
  let asked = 0;
  const failed: string[] = [];
  const start = Date.now();
  const runs = urls.map(async (url) => {
    while (!stop.signal.aborted) {
      asked += 1;
      const answer = await ask(`${url}/version`, { timeout: 20_000 }).catch((error: Error) => ({
        status: 0,
        text: error.message,
      }));
      if (answer.status !== 200)
        failed.push(
          `${url} after ${Date.now() - start} ms: ${answer.status} ${answer.text.slice(0, 200)}`,
        );
      await new Promise((wake) => setTimeout(wake, 100));
    }
  });
  return async () => {
    stop.abort();
    await Promise.all(runs);
    return { asked, failed };
  };
}

test("an upgrade of the operator rolls every mock, and no answer is lost under a steady load", async () => {
  await apply(names.map((name) => mockOf(namespace, name, { definition: definition("1") })));
  const mocks = await Promise.all(names.map(async (name) => await ready(namespace, name)));
  const urls = mocks.map((mock) => mock.status?.url ?? "");
  // The ingress says that it is ready before it routes: the load starts once each has answered.
  for (const url of urls) await serves(url, "1", 60);
  const builds = mocks.map((mock) => mock.status?.build);
  const stop = steadyLoad(urls);
  try {
    await skaffoldRun(newer);
    for (const [index, name] of names.entries()) {
      // The resync of the install asks for it; where an ingress still led that to the old version, the next tick does.
      await until(
        `${name} rolled`,
        330,
        async () => await get("apimock", namespace, name),
        (mock) =>
          mock.status?.build !== builds[index] && condition(mock, "Ready")?.status === "True",
      );
    }
  } finally {
    const { asked, failed } = await stop();
    expect(failed).toEqual([]);
    expect(asked).toBeGreaterThan(100);
  }
  for (const name of names) {
    const workload = await get("ksvc", namespace, name);
    expect(JSON.stringify(workload?.spec)).toContain('"memory":"65Mi"');
    // One Revision more, and no other: a roll is one roll.
    expect(workload?.status?.latestReadyRevisionName).toMatch(/-00002$/);
  }
}, 600_000);
