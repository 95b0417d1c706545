import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { pack } from "../../lib/compiled/pack.ts";
import { compiledOf, exampleOf, responseOf } from "../support/compiled.ts";

let folder = "";
const file = (name: string) => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mock-"));
  const responses = [responseOf("200", [["application/json", exampleOf("fine")]])];
  writeFileSync(file("packed"), pack(compiledOf([{ responses }])).packed);
  writeFileSync(file("other"), "openapi: 3.1.1\n");
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function start(environment: Readonly<Record<string, string>>) {
  const env = { PATH: process.env["PATH"], ...environment };
  return spawn(process.execPath, [join(inject("builtPackage"), "dist/mock.cjs")], { env, stdio: ["ignore", "pipe", "pipe"] }); // oxfmt-ignore
}

test.for<[about: string, environment: () => Record<string, string>, says: RegExp]>([
  ["no definition", () => ({}), /^DEFINITION is not set; .+\n$/],
  [
    "a definition that is not there",
    () => ({ DEFINITION: file("none") }),
    /^DEFINITION=.*none cannot be loaded: ENOENT.+\n$/,
  ],
  [
    "a definition that is not compiled",
    () => ({ DEFINITION: file("other") }),
    /^DEFINITION=.*other cannot be loaded: .*apirator compile.+\n$/,
  ],
  [
    "a setting that is none",
    () => ({ DEFINITION: file("packed"), APIRATOR_CORS: "maybe" }),
    /^APIRATOR_CORS="maybe" is not understood; .+\n$/,
  ],
])("with %s the process ends with 1 and one line", async ([, environment, says]) => {
  const started = start(environment());
  const [said, ended] = await Promise.all([text(started.stderr), once(started, "exit")]);
  expect(said).toMatch(says);
  expect(ended).toEqual([1, null]);
});

test("the process serves its definition until it is told to end", async () => {
  const port = await freePort();
  const started = start({ DEFINITION: file("packed"), PORT: String(port) });
  const ended = once(started, "exit");
  const answer = await firstAnswer(`http://127.0.0.1:${port}/p`);
  expect(answer).toBe('"fine"');
  started.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** The process may take its time to listen. */
async function firstAnswer(url: string): Promise<string> {
  for (;;) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- until it listens
      return await (await fetch(url)).text();
    } catch {
      // oxlint-disable-next-line no-await-in-loop
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
