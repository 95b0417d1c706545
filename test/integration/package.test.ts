import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { folderWith } from "../support/command-line.ts";

const definition = `openapi: 3.1.0
info: {title: Shops, version: "1"}
paths:
  /shops:
    get:
      responses: {"200": {description: all, content: {application/json: {example: [1, 2]}}}}
`;

/** Runs npm without the network and without what it asks by itself. */
function npm(args: readonly string[], cwd: string): string {
  const quiet = ["--offline", "--no-audit", "--no-fund", "--no-update-notifier"];
  return execFileSync("npm", [...args, ...quiet], { cwd, encoding: "utf8", stdio: "pipe" });
}

test("the tarball of npm pack, installed in an empty folder, serves a document", async () => {
  const folder = folderWith({ "shops.yaml": definition });
  const packed = npm(["pack", "--json", "--pack-destination", folder], inject("builtPackage"));
  const tarball = /[\w.-]+\.tgz/.exec(packed)?.[0] ?? "";
  // The platform's Node is another package, and comes from a registry.
  npm(["install", "--omit=optional", join(folder, tarball)], folder);
  const mock = spawn("npx", ["--offline", "apirator", "mock", "shops.yaml", "--port", "0"], {
    cwd: folder,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { pid } = mock;
  // npx starts a shell that starts the program: all of them are one group.
  onTestFinished(async () => {
    if (pid !== undefined && mock.exitCode === null) process.kill(-pid, "SIGKILL");
    if (mock.exitCode === null && mock.signalCode === null) await once(mock, "exit");
  });
  let said = "";
  for await (const text of mock.stdout.setEncoding("utf8")) {
    said += String(text);
    if (said.includes("Ctrl-C")) break;
  }
  const url = /http:\/\/localhost:\d+/.exec(said)?.[0] ?? "";
  const answer = await fetch(`${url}/shops`);
  expect(await answer.json()).toEqual([1, 2]);
});
