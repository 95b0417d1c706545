import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { unpack } from "../../lib/compiled/pack.ts";
import { apirator, folderWith } from "../support/command-line.ts";
import { apiratorHere } from "../support/command.ts";

const commands = ["dev", "mock", "validate", "compile", "render", "replay"];

test.for(commands)("apirator %s --help says how it is used, and ends well", async (command) => {
  const { code, out, err } = await apiratorHere([command, "--help"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(new RegExp(`^apirator ${command} `));
});

test("apirator --help names every command and the exit codes", async () => {
  const { code, out } = await apirator(["--help"]);
  expect(code).toBe(0);
  for (const command of commands) expect(out).toMatch(new RegExp(`^ {2}${command} `, "m"));
  expect(out).toContain("0 all well");
});

test("apirator --version is the package's", async () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect(await apirator(["--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" });
});

test.for([
  [["frobnicate"], "there is no command frobnicate"],
  [["constructor"], "there is no command constructor"],
  [["validate"], "name the files to validate"],
  [["validate", "--colour", "x.yaml"], "Unknown option '--colour'"],
  [["validate", "--format", "xml", "x.yaml"], "--format xml is unknown; give text, json"],
  [["compile", "examples/bets.yaml"], "say where to write it: -o OUT"],
  [["mock"], "name one file to serve"],
  [["mock", "examples/bets.yaml", "--port", "70000"], "--port 70000 is no port"],
  [["dev", "examples", "--port", "web"], "--port web is no port"],
  [["render"], "name one file to render"],
  [["compile", "examples/bets.yaml", "-o", "-"], "/dev/stdout"],
  [["replay"], "name the recordings to replay"],
] as const)("a wrong command line, %j, is one line and exit code 2", async ([args, message]) => {
  const { code, out, err } = await apiratorHere(args);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(/^apirator: [^\n]+\n$/);
  expect(err).toContain(message);
});

test("apirator alone shows the help, and exit code 2", async () => {
  const { code, err } = await apirator([]);
  expect(code).toBe(2);
  expect(err).toContain("apirator COMMAND");
});

test.for([
  [["compile", "examples", "-o", "/dev/null"], "examples is a folder; name a file"],
  [["compile", "none.yaml", "-o", "/dev/null"], "none.yaml does not exist"],
  [["dev", "no-such-folder"], "no-such-folder cannot be read (ENOENT)"],
  [["dev", "README.md"], "README.md cannot be read (ENOTDIR); name a folder"],
  [["mock", "none.yaml"], "none.yaml does not exist"],
  [["replay", "none.ndjson"], "none.ndjson does not exist"],
] as const)(
  "a file that cannot be read, %j, is one line and exit code 1",
  async ([args, message]) => {
    const { code, out, err } = await apiratorHere(args);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^apirator: [^\n]+\n$/);
    expect(err).toContain(message);
  },
);

test("validate prints a finding as file, line and column, and ends with 1", async () => {
  expect(await apirator(["validate", "examples/typo.yaml", "examples/bets.yaml"])).toEqual({
    code: 1,
    err: "",
    out: [
      "examples/typo.yaml:49:17: error unresolved-ref: #/components/schemas/Shopp does not exist; did you mean Shop?",
      "examples/bets.yaml: nothing wrong",
      "1 error",
      "",
    ].join("\n"),
  });
});

test("the place that validate prints for an APIMock is the file's", () => {
  const line = readFileSync("examples/typo.yaml", "utf8").split("\n")[49 - 1] ?? "";
  expect(line.slice(17 - 1)).toBe('$ref: "#/components/schemas/Shopp"');
});

test("validate --format json is one list that programs can read", async () => {
  const { code, out } = await apiratorHere(["validate", "examples/typo.yaml", "--format", "json"]);
  expect(code).toBe(1);
  expect(JSON.parse(out)).toEqual([
    {
      file: "examples/typo.yaml",
      line: 49,
      column: 17,
      severity: "error",
      code: "unresolved-ref",
      message: "#/components/schemas/Shopp does not exist; did you mean Shop?",
      pointer: "/components/responses/Shop/content/application~1json/schema/$ref",
    },
  ]);
});

test("validate prints every finding, also where there are more than a status holds", async () => {
  const paths = Array.from(
    { length: 30 },
    (_, index) => `  /p${index}:
    get: {responses: {"200": {$ref: "#/components/responses/None${index}"}}}`,
  );
  const folder = folderWith({
    "many.yaml": `openapi: 3.0.3\ninfo: {title: Many, version: "1"}\npaths:\n${paths.join("\n")}\n`,
  });
  const { out } = await apiratorHere(["validate", join(folder, "many.yaml")]);
  expect(out.match(/ error unresolved-ref: /g)).toHaveLength(30);
  expect(out).toMatch(/\n30 errors\n$/);
});

test.for([
  ["no document at all", "hello\n", "not-a-mapping"],
  ["nothing", "", "empty-document"],
  ["broken YAML", "openapi: 3.0.3\ninfo: {title: [\n", "invalid-text"],
  ["Latin-1", Buffer.from("openapi: 3.0.3 # \u00E9\n", "latin1"), "unreadable-file"],
  ["UTF-16", Buffer.from("\uFEFFopenapi: 3.0.3\n", "utf16le"), "unreadable-file"],
  ["gzip", gzipSync("openapi: 3.0.3\n"), "unreadable-file"],
] as const)("validate of %s, on standard input, is the finding", async ([, text, code]) => {
  const ended = await apiratorHere(["validate", "-"], text);
  expect(ended.code).toBe(1);
  expect(ended.out).toMatch(/^stdin(:\d+:\d+)?: error [a-z-]+: [^\n]+$/m);
  expect(ended.out).toContain(` error ${code}: `);
});

test.for(["text", "json"])(
  "a file that cannot be read does not keep the others from being validated, as %s",
  async (format) => {
    const names = ["none.yaml", "examples", "examples/typo.yaml"];
    const { code, out, err } = await apiratorHere(["validate", "--format", format, ...names]);
    expect({ code, err }).toEqual({ code: 1, err: "" });
    const found =
      format === "json"
        ? (JSON.parse(out) as { code: string }[]).map((finding) => finding.code)
        : (out.match(/(?<= error )[a-z-]+/g) ?? []);
    expect(found).toEqual(["unreadable-file", "unreadable-file", "unresolved-ref"]);
  },
);

const unresolved = `openapi: 3.0.3\ninfo: {title: T, version: "1"}\npaths: {/a: {$ref: "#/nowhere"}}\n`;
const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, "    ");
const head = "apiVersion: apirator.io/v1alpha1\nkind: APIMock\nmetadata: {name: x}\nspec:\n";

test.for([
  ["a literal block", `${head}  definition: |\n${indented(unresolved)}`, "8:18: error", false],
  ["a quoted text", `${head}  definition: ${JSON.stringify(unresolved)}\n`, "5:15: error", true],
  [
    "a ConfigMap of the file",
    `${head}  definitionFrom: {configMapKeyRef: {name: c, key: a.yaml}}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  a.yaml: |\n${indented(unresolved)}`,
    "14:18: error",
    false,
  ],
] as const)(
  "a finding in a definition that is %s has a place of the file",
  async ([, text, place, isInside]) => {
    const { out } = await apiratorHere(["validate", "-"], text);
    expect(out).toMatch(new RegExp(`^stdin:${place} unresolved-ref: `, "m"));
    expect(out.includes("(line 3, column 14 of the definition)")).toBe(isInside);
  },
);

test("a file with one APIMock beside objects of other kinds is compiled", async () => {
  const deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\n";
  const text = `${deployment}---\n${head}  definition: |\n    openapi: 3.0.3\n    info: {title: T, version: "1"}\n    paths: {/a: {get: {responses: {"204": {description: d}}}}}\n`;
  expect(await apiratorHere(["compile", "-", "-o", "/dev/null"], text)).toMatchObject({ code: 0 });
});

test.for(["validate", "mock"])("%s says that the | behind definition is missing", async (name) => {
  const { code, out, err } = await apiratorHere(
    [name, "-"],
    `${head}  definition:\n${indented(unresolved)}`,
  );
  expect(code).toBe(1);
  expect(out + err).toMatch(/:6:5: .*spec\.definition is a mapping.*write definition: \|/);
});

test.for([
  ["spec: {scale: {min: -1}, definition: x}", /:4:21: error invalid-object: .*spec\.scale\.min/],
  ["spec: {}", /:4:7: error invalid-object: .*definition/],
  ["spec: {definition: 7}", /:4:\d+: error invalid-object: .*spec\.definition/],
  ["kind: Pod", /:\d+:\d+: error invalid-object: /],
] as const)(
  "an APIMock that a cluster would refuse, %j, is an error with its place",
  async ([spec, line]) => {
    const head = "apiVersion: apirator.io/v1alpha1\nkind: APIMock\nmetadata: {name: x}\n";
    const { code, out } = await apiratorHere(
      ["validate", "-"],
      `${spec.startsWith("kind") ? "" : head}${spec}\n`,
    );
    expect(code).toBe(1);
    expect(out).toMatch(line);
  },
);

test("nothing is coloured in a pipe", async () => {
  const { out, err } = await apirator(["validate", "examples/typo.yaml"]);
  expect(out + err).not.toContain("\u001B");
});

test("compile writes what a mock process loads", async () => {
  const folder = folderWith({});
  const out = join(folder, "bets");
  const ended = await apirator(["compile", "examples/bets.yaml", "-o", out]);
  expect(ended).toMatchObject({ code: 0, err: "" });
  expect(ended.out).toMatch(/: [0-9a-f]{10}, 6 operations\n$/);
  expect(unpack(readFileSync(out))).toMatchObject({ title: "Bets", version: "3.0.3" });
});

test("a document that compile refuses leaves the file as it was", async () => {
  const folder = folderWith({ out: "before" });
  const ended = await apiratorHere(["compile", "examples/typo.yaml", "-o", join(folder, "out")]);
  expect(ended.code).toBe(1);
  expect(ended.err).toContain("examples/typo.yaml:49:17: error unresolved-ref:");
  expect(readFileSync(join(folder, "out"), "utf8")).toBe("before");
});

test("every example but the faulty one is valid, without a warning", async () => {
  const files = readdirSync("examples").filter((name) => name.endsWith(".yaml"));
  expect(files.length).toBeGreaterThanOrEqual(5);
  const good = files.filter((name) => name !== "typo.yaml").map((name) => `examples/${name}`);
  const { code, out } = await apiratorHere(["validate", ...good]);
  expect(code).toBe(0);
  expect(out).toBe(good.map((file) => `${file}: nothing wrong\n`).join(""));
});
