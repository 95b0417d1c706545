import { mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { request } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { folderWith, startApirator, startNode } from "../support/command-line.ts";
import { apiratorHere } from "../support/command.ts";
import { startDev } from "../support/dev.ts";

/** Milliseconds that an edit may take until its answer is another: five times what is promised. */
const deadline = 5000;

const openapi = (answer: string): string =>
  `openapi: 3.0.3\ninfo: {title: Shops, version: "1"}\npaths:\n  /shops:\n    get:\n      responses:\n        "200":\n          description: Shops\n          content:\n            application/json:\n              example: ${answer}\n`;

const apimock = (name: string, answer: string, more = ""): string =>
  `apiVersion: apirator.io/v1alpha1\nkind: APIMock\nmetadata: {name: ${name}}\nspec:\n${more}  definition: |\n${openapi(answer).replaceAll(/^/gm, "    ")}\n`;

/** Asks until the answer is the one that is waited for; answers how long that took, and prints it. */
async function within(what: string, look: () => Promise<boolean>): Promise<void> {
  const begin = performance.now();
  while (!(await look())) {
    if (performance.now() - begin > deadline) throw new Error(`${what}: not within ${deadline} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  console.log(`${what}: ${Math.round(performance.now() - begin)} ms`); // oxlint-disable-line no-console -- the promise, measured
}

test("npm start prints the table of the examples and serves them", async () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
    scripts: { start: string };
  };
  const [program, ...args] = scripts.start.split(" ");
  expect(program).toBe("node");
  const running = startNode([...args, "--port", "0"]);
  const said = await running.until(/Ctrl-C stops\.\n/);
  const base = /http:\/\/localhost:\d+/.exec(said)?.[0] ?? "";
  expect(
    said.replaceAll(base, "BASE").replaceAll(/^(?!default\/(bets|typo)|NAME|Edit).*\n/gm, ""),
  ).toBe(
    [
      "NAME               READY  OPS  URL",
      "default/bets       True     6  BASE/default/bets/",
      "default/typo       False    0  line 41, column 13: unresolved-ref",
      "Edit examples/bets.yaml and call again. Ctrl-C stops.",
      "",
    ].join("\n"),
  );
  const answer = await fetch(`${base}/default/bets/bets/7`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({
    id: 7,
    event: "final",
    outcome: "home",
    stake: 10,
    status: "open",
  });
});

test("an edit changes the answers, is printed, and a deleted file takes its mock along", async () => {
  const world = await startDev({ "shops.yaml": apimock("shops", "[1]") });
  expect(await world.get("/default/shops/shops")).toBe("[1]");
  world.write("shops.yaml", apimock("shops", "[2]"));
  await within(
    "an edit to the new answer",
    async () => (await world.get("/default/shops/shops")) === "[2]",
  );
  world.write("other.yaml", apimock("other", "[3]"));
  await within(
    "a new file to its first answer",
    async () => (await world.get("/default/other/shops")) === "[3]",
  );
  await world.until(/^default\/other +True +1 +http:\S+\/default\/other\/$/m);
  rmSync(join(world.folder, "other.yaml"));
  await within(
    "a deleted file to no answer",
    async () => (await fetch(`${world.base}/default/other/shops`)).status === 404,
  );
  await world.until(/^default\/other +- +deleted$/m);
});

test("a bad edit keeps the old answers, and says line and column of the definition", async () => {
  const world = await startDev({ "shops.yaml": apimock("shops", "[1]") });
  world.write("shops.yaml", apimock("shops", "{$ref: '#/nowhere'}").replace("example:", "schema:"));
  await world.until(/^default\/shops +False .*$/m);
  expect(world.said()).toMatch(
    /^default\/shops +False +1 +line 11, column \d+: unresolved-ref; the last good definition serves$/m,
  );
  expect(await world.get("/default/shops/shops")).toBe("[1]");
  world.write("shops.yaml", apimock("shops", "[2]"));
  await within(
    "a mended edit to its answer",
    async () => (await world.get("/default/shops/shops")) === "[2]",
  );
});

test("an error without a place is printed without one", async () => {
  const world = await startDev({ "shops.yaml": apimock("shops", "[1]") });
  world.write("many.yaml", `openapi: 3.0.3\na: &a 1\nb: [${"*a, ".repeat(2000)}]\n`);
  await world.until(/^default\/many +False .*$/m);
  expect(world.said()).toMatch(/^default\/many +False +0 +too-large$/m);
});

test.for([
  ["broken YAML", "apiVersion: [\n", /shops\.yaml:2:1: /],
  ["an empty file", "", /shops\.yaml:1:1: the file is empty/],
  [
    "a wrong field",
    apimock("shops", "[2]", "  scale: {min: -1}\n"),
    /shops\.yaml:5:\d+: .*spec\.scale\.min/,
  ],
  [
    "no name",
    "apiVersion: apirator.io/v1alpha1\nkind: APIMock\nmetadata: {}\n",
    /shops\.yaml:1:1: APIMock has no metadata\.name/,
  ],
  ["a name that no Service may have", apimock("Shops", "[2]"), /shops\.yaml:3:\d+: .*rename it/],
  [
    "another kind",
    "apiVersion: v1\nkind: Pod\nmetadata: {name: shops}\n",
    /shops\.yaml:1:1: kind Pod is not served here/,
  ],
  [
    "something else",
    "hello: world\n",
    /shops\.yaml:1:1: neither an APIMock nor an OpenAPI document/,
  ],
] as const)("%s is said with its place, and what served goes on", async ([, text, line]) => {
  const world = await startDev({ "shops.yaml": apimock("shops", "[1]") });
  world.write("shops.yaml", text);
  await world.until(line);
  expect(await world.get("/default/shops/shops")).toBe("[1]");
});

test("one bad document of a file holds up no other", async () => {
  const world = await startDev({
    "all.yaml": `${apimock("one", "[1]")}---\nkind: 7\n---\n${apimock("two", "[2]")}`,
  });
  expect(world.said()).toMatch(/all\.yaml:\d+:1: /);
  expect(await world.get("/default/one/shops")).toBe("[1]");
  expect(await world.get("/default/two/shops")).toBe("[2]");
});

test("a plain OpenAPI file is a mock named after it", async () => {
  const world = await startDev({
    "My Shops_v2.json": JSON.stringify({
      openapi: "3.0.3",
      info: { title: "S", version: "1" },
      paths: {
        "/s": {
          get: {
            responses: {
              200: { description: "x", content: { "application/json": { example: [1] } } },
            },
          },
        },
      },
    }),
  });
  expect(await world.get("/default/my-shops-v2/s")).toBe("[1]");
});

test("a definition in a shared ConfigMap of the folder is served, and followed", async () => {
  const reference =
    "apiVersion: apirator.io/v1alpha1\nkind: APIMock\nmetadata: {name: shops, namespace: team}\nspec: {definitionFrom: {configMapKeyRef: {name: texts, key: shops.yaml}}}\n";
  const texts = (answer: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: texts, namespace: team, labels: {apirator.io/definition: "true"}}\ndata:\n  shops.yaml: |\n${openapi(answer).replaceAll(/^/gm, "    ")}\n`;
  const world = await startDev({ "mock.yaml": reference, "texts.yaml": texts("[1]") });
  expect(await world.get("/team/shops/shops")).toBe("[1]");
  world.write("texts.yaml", texts("[2]"));
  await within(
    "an edited ConfigMap to the new answer",
    async () => (await world.get("/team/shops/shops")) === "[2]",
  );
});

test("two files with one mock: the first counts, the second is named", async () => {
  const world = await startDev({
    "a.yaml": apimock("shops", "[1]"),
    "b.yaml": apimock("shops", "[2]"),
  });
  expect(world.said()).toMatch(/b\.yaml:3:\d+: APIMock default\/shops is in \S+a\.yaml already/);
  expect(await world.get("/default/shops/shops")).toBe("[1]");
});

test("a document that no object has room for is refused with the way to serve it", async () => {
  const world = await startDev({ "large.yaml": `openapi: 3.1.0\n# ${"x".repeat(1_600_000)}\n` });
  expect(world.said()).toMatch(
    /large\.yaml:1:1: Request entity too large: .*put the document into a ConfigMap .*spec\.definitionFrom/,
  );
});

test("an editor that puts a new file into the place of the old one is followed", async () => {
  const world = await startDev({ "shops.yaml": apimock("shops", "[1]") });
  world.write("shops.yaml.swap", apimock("shops", "[2]"));
  renameSync(join(world.folder, "shops.yaml.swap"), join(world.folder, "shops.yaml"));
  await within(
    "a replaced file to the new answer",
    async () => (await world.get("/default/shops/shops")) === "[2]",
  );
  expect(world.said()).not.toMatch(/deleted/);
});

test("a folder in the folder, and files of other kinds, are left alone", async () => {
  const world = await startDev({
    "shops.yaml": apimock("shops", "[1]"),
    "README.md": "# Shops\n",
    ".hidden.yaml": "x",
  });
  mkdirSync(join(world.folder, "deep.yaml"));
  world.write("shops.yaml", apimock("shops", "[2]"));
  await within(
    "an edit beside a folder",
    async () => (await world.get("/default/shops/shops")) === "[2]",
  );
  expect(world.said()).not.toMatch(/README|hidden|deep/);
});

test.for([
  ["/default/none/x", 404, "no-such-mock", "there is no APIMock default/none"],
  ["/favicon.ico", 404, "no-such-mock", "/favicon.ico is not below"],
  ["/default/bad/x", 503, "mock-not-serving", "APIMock default/bad does not serve: 1 error: line"],
] as const)("what no mock answers, %s, is a problem", async ([path, status, code, detail]) => {
  const world = await startDev({
    "bad.yaml": openapi("[1]").replace("example: [1]", "schema: {$ref: '#/nowhere'}"),
  });
  const answer = await fetch(`${world.base}${path}`);
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  const problem = (await answer.json()) as { type: string; detail: string };
  expect(problem.type).toBe(`https://apirator.io/problems/${code}`);
  expect(problem.detail).toContain(detail);
});

test("a mock gets the rest of the target as it was sent", async () => {
  const document = openapi("[1]")
    .replace("/shops:", "/shops/{id}:")
    .replace(
      "get:",
      'parameters: [{name: id, in: path, required: true, schema: {type: string, enum: ["a/b"]}}]\n    get:',
    );
  const world = await startDev({ "shops.yaml": document });
  const { port } = new URL(world.base);
  const status = (path: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      request({ port, path, host: "127.0.0.1" }, (response) =>
        resolve(response.resume().statusCode),
      )
        .on("error", reject)
        .end();
    });
  expect(await status("/default/shops/shops/a%2Fb")).toBe(200);
  expect(await status("/default/shops/shops/a/b")).toBe(404);
  expect(await status("/default/shops/x/../shops/a%2Fb")).toBe(404);
});

test("/ is a page of the mocks that is told of changes", async () => {
  const world = await startDev({
    "shops.yaml": apimock("shops", "[1]"),
    "bad.yaml": "apiVersion: [\n",
  });
  const page = await fetch(`${world.base}/`);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const text = await page.text();
  expect(text).toContain(`href="${world.base}/default/shops/"`);
  expect(text).toMatch(/bad\.yaml/);
  expect(text).not.toMatch(/(?:src|href)="(?!http:\/\/localhost|data:)/);

  const stream = (await fetch(`${world.base}/__apirator/events`)).body
    ?.pipeThrough(new TextDecoderStream())
    .getReader();
  await stream?.read();
  world.write("shops.yaml", apimock("shops", "{$ref: '#/nowhere'}").replace("example:", "schema:"));
  let told = "";
  await within("an edit to the page", async () => {
    told = (await stream?.read())?.value ?? "";
    return told.includes("unresolved-ref");
  });
  expect(told).toMatch(/line 11, column \d+/);
  expect(told).toMatch(/shops\.yaml:\d+:\d+/);
  await stream?.cancel();
});

test("what a definition says is text on the page, never markup", async () => {
  const world = await startDev({
    "x.yaml": apimock("x", "[1]").replace("title: Shops", "title: '<img src=x onerror=alert(1)>'"),
  });
  const text = await world.get("/");
  expect(text).toContain("&lt;img src=x onerror=alert(1)&gt;");
  expect(text).not.toContain("<img");
});

test.for(["SIGINT", "SIGTERM"] as const)(
  "%s stops it, with an open page too, and frees the port",
  async (signal) => {
    const folder = folderWith({ "shops.yaml": apimock("shops", "[1]") });
    const running = startApirator(["dev", folder, "--port", "0"]);
    const said = await running.until(/Ctrl-C stops\.\n/);
    const base = /http:\/\/localhost:\d+/.exec(said)?.[0] ?? "";
    const stream = await fetch(`${base}/__apirator/events`);
    const { code, err } = await running.stop(signal);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    await stream.body?.cancel().catch(() => {});
    await expect(fetch(base)).rejects.toThrow("fetch failed");
  },
);

test("a port in use is said in one line", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const { code, out, err } = await apiratorHere(["dev", "examples", "--port", String(port)]);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toBe(
    `apirator: port ${port} on 127.0.0.1 is in use; stop what listens there, or choose another port\n`,
  );
});

test("an empty folder is fine, and the first file that comes is served", async () => {
  const world = await startDev({});
  expect(await world.get("/")).toContain("Nothing here yet");
  world.write("shops.yaml", apimock("shops", "[1]"));
  await world.until(/^default\/shops +True +1 /m);
  expect(await world.get("/default/shops/shops")).toBe("[1]");
});
