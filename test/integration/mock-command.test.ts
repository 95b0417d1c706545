import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { mock } from "../../cli/mock.ts";
import { apirator, folderWith } from "../support/command-line.ts";
import { apiratorHere, startCommand } from "../support/command.ts";

const shell = promisify(execFile);

const openapi = (answer: string): string =>
  `openapi: 3.0.3\ninfo: {title: Shops, version: "1"}\npaths:\n  /shops:\n    get:\n      responses:\n        "200":\n          description: Shops\n          content:\n            application/json:\n              example: ${answer}\n`;

test.for([
  ["bets", 6],
  ["library", 4],
  ["warehouse", 3],
  ["weather", 2],
] as const)("every curl line that mock prints for %s works", async ([name, count]) => {
  const { said } = await startCommand(mock, `examples/${name}.yaml`);
  const lines = said().match(/^curl .*$/gm) ?? [];
  expect(lines).toHaveLength(count);
  for (const line of lines) {
    const { stdout } = await shell("bash", ["-c", `${line} -s -o /dev/null -w '%{http_code}'`]);
    expect(`${line} ${stdout}`).toMatch(/ 20[0-9]$/);
  }
});

const parameters = `openapi: 3.1.0
info: {title: Parameters, version: "1"}
security: [{basic: [], cookie: []}]
components:
  securitySchemes:
    basic: {type: http, scheme: basic}
    cookie: {type: apiKey, in: cookie, name: session}
paths:
  /m{matrix}/l{label}/{simple}:
    parameters:
    - {name: matrix, in: path, required: true, style: matrix, explode: true, schema: {type: array, minItems: 2, items: {type: integer}}}
    - {name: label, in: path, required: true, style: label, schema: {type: array, minItems: 2, items: {type: integer}}}
    - {name: simple, in: path, required: true, schema: {type: object, required: [a, b], properties: {a: {type: integer}, b: {const: "x/y z"}}}}
    get:
      parameters:
      - {name: deep, in: query, required: true, style: deepObject, explode: true, schema: {type: object, required: [k], properties: {k: {const: "it's & [so]"}}}}
      - {name: pipes, in: query, required: true, style: pipeDelimited, explode: false, schema: {type: array, minItems: 2, maxItems: 2, items: {type: integer}}}
      - {name: many, in: query, required: true, schema: {type: array, minItems: 2, items: {enum: [x]}}}
      - {name: json, in: query, required: true, content: {application/json: {schema: {type: object, required: [n], properties: {n: {const: 1}}}}}}
      - {name: X-List, in: header, required: true, schema: {type: array, minItems: 2, items: {type: integer}}}
      - {name: flavour, in: cookie, required: true, schema: {enum: [sweet]}}
      responses: {"204": {description: Fine}}
  /upload:
    put:
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema: {type: object, required: [title, n], properties: {title: {const: "a; type=b"}, n: {type: integer, minimum: 3}}}
      responses: {"204": {description: Fine}}
  /text:
    post:
      requestBody: {required: true, content: {text/plain: {schema: {type: string, minLength: 3}}}}
      responses: {"204": {description: Fine}}
`;

test("a curl line has every style of parameter, bodies and credentials as its operation wants them", async () => {
  const file = join(folderWith({ "p.yaml": parameters }), "p.yaml");
  const { said } = await startCommand(mock, file);
  const lines = said().match(/^curl .*$/gm) ?? [];
  expect(lines).toHaveLength(3);
  for (const line of lines) {
    const { stdout } = await shell("bash", ["-c", `${line} -s -w ' %{http_code}'`]);
    expect(`${line}\n${stdout}`).toMatch(/ 204$/);
  }
});

test("with --watch an edit changes the answers, and a bad one keeps them", async () => {
  const file = join(folderWith({ "shops.yaml": openapi("[1]") }), "shops.yaml");
  const { base, until } = await startCommand(mock, file, { watch: true });
  const get = async (): Promise<string> => (await fetch(`${base}/shops`)).text();
  expect(await get()).toBe("[1]");
  writeFileSync(
    file,
    openapi("[2]").replace("example:", "schema: {$ref: '#/nowhere'}\n              example:"),
  );
  await until(
    /shops\.yaml:11:\d+: error unresolved-ref: .*\n.*is refused: 1 error; the old answers stay\n/,
  );
  expect(await get()).toBe("[1]");
  writeFileSync(file, openapi("[2]"));
  await until(/Shops \(OpenAPI 3\.0\.3\), 1 operation, at [\s\S]*Shops \(OpenAPI/);
  expect(await get()).toBe("[2]");
});

test("with --watch only an edit of the file loads it anew, whatever is written beside it", async () => {
  const folder = folderWith({ "shops.yaml": openapi("[1]") });
  const file = join(folder, "shops.yaml");
  const { base, said, until } = await startCommand(mock, file, { watch: true });
  const log = join(folder, "out.log");
  const written = setInterval(() => writeFileSync(log, said()), 5);
  try {
    writeFileSync(file, openapi("[1]"));
    await new Promise((wake) => setTimeout(wake, 300));
    writeFileSync(file, openapi("[2]"));
    await until(/(Shops \(OpenAPI[\s\S]*){2}/);
    rmSync(file);
    await until(/shops\.yaml does not exist; the old answers stay\n/);
    await new Promise((wake) => setTimeout(wake, 300));
  } finally {
    clearInterval(written);
  }
  expect(await (await fetch(`${base}/shops`)).text()).toBe("[2]");
  expect(said().match(/Shops \(OpenAPI/g)).toHaveLength(2);
  expect(said().match(/does not exist/g)).toHaveLength(1);
});

test.for([
  [{}, 422],
  [{ validate: "warn" }, 200],
  [{ validate: "off" }, 200],
] as const)("with %j a request that does not fit is %i", async ([options, status]) => {
  const document = openapi("[1]").replace(
    "get:",
    "get:\n      parameters: [{name: page, in: query, required: true, schema: {type: integer}}]",
  );
  const file = join(folderWith({ "shops.yaml": document }), "shops.yaml");
  const { base } = await startCommand(mock, file, options);
  const answer = await fetch(`${base}/shops`);
  expect(answer.status).toBe(status);
});

test.for([
  [{}, 200],
  [{ validate: "enforce" }, 422],
] as const)(
  "an APIMock is answered by its own settings, which %j outdoes: %i",
  async ([options, status]) => {
    const { base } = await startCommand(mock, "examples/weather.yaml", options);
    const answer = await fetch(`${base}/alerts?level=blue`);
    expect(answer.status).toBe(status);
  },
);

test.for([
  [{}, "*"],
  [{ "no-cors": true }, null],
] as const)("with %j the origin that is let in is %j", async ([options, origin]) => {
  const { base } = await startCommand(mock, "examples/bets.yaml", options);
  const answer = await fetch(`${base}/events`);
  expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
});

test("with --dynamic and --seed bodies are made, and the same each time", async () => {
  const { base } = await startCommand(mock, "examples/library.yaml", { dynamic: true, seed: "7" });
  const get = async (): Promise<string> =>
    (await fetch(`${base}/v1/books`, { headers: { "X-Library-Key": "k" } })).text();
  const first = await get();
  expect(first).toMatch(/^\{"books":\[\{"isbn":"97[89]\d{10}"/);
  expect(await get()).toBe(first);
});

test("a refused document is not served: findings, and exit code 1", async () => {
  const { code, out, err } = await apiratorHere(["mock", "examples/typo.yaml", "--port", "0"]);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toBe(
    "examples/typo.yaml:49:17: error unresolved-ref: #/components/schemas/Shopp does not exist; did you mean Shop?\napirator: examples/typo.yaml is refused: 1 error\n",
  );
});

test("render prints what the operator would apply, the same each time", async () => {
  const { code, out, err } = await apirator(["render", "examples/bets.yaml"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out.match(/^kind: .*$/gm)).toEqual(["kind: ConfigMap", "kind: Service"]);
  expect(out).toMatch(/^ {2}name: bets-[0-9a-f]{10}$/m);
  expect(out).not.toMatch(/resourceVersion|creationTimestamp|managedFields|^status:/m);
  expect(await apirator(["render", "examples/bets.yaml"])).toEqual({ code, out, err });
});

test("render of a refused definition prints nothing to apply, and ends with 1", async () => {
  const { code, out, err } = await apiratorHere(["render", "examples/typo.yaml"]);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(/^examples\/typo\.yaml:49:17: error unresolved-ref: [^\n]+\n$/);
});
