import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const files = globSync("{cli,functions,lib}/**/*.ts").toSorted();

/** Every module that a file names: static, `import()` and `export … from`; type-only imports too, they couple as well. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, name = ""]) =>
    name.startsWith(".") ? normalize(join(dirname(file), name)) : name,
  );
}

/** Who may not import what. A folder stands for all that is below it. */
const forbidden: readonly (readonly [from: RegExp, to: RegExp, why: string])[] = [
  [/^lib\//, /^(functions|cli)\//, "lib is below functions and cli"],
  [/^functions\//, /^cli\//, "functions are below cli"],
  [/^functions\/reconcile\//, /^functions\/(resync|mock)\//, "functions never import each other"],
  [/^functions\/resync\//, /^functions\/(reconcile|mock)\//, "functions never import each other"],
  [/^functions\/mock\//, /^functions\/(reconcile|resync)\//, "functions never import each other"],
  [
    /^functions\/mock\//,
    /^lib\/(definition|compiler|cluster|embedded)\//,
    "the mock loads what was compiled, and knows no cluster",
  ],
  [
    /^functions\/(reconcile|resync)\//,
    /^lib\/(definition|schema|embedded)\//,
    "a definition is read in a process of its own",
  ],
  [
    /^lib\/definition\//,
    /^lib\/(compiler|cluster|embedded)\//,
    "understanding a definition needs no process and no cluster",
  ],
  [/^lib\/schema\//, /^lib\/(?!schema|compiled\/compiled|finding)/, "schemas stand alone"],
  [
    /^lib\/embedded\//,
    /^lib\/(definition|schema|compiler)\//,
    "the embedded cluster takes functions as arguments",
  ],
  [/^lib\/(?!schema\/)/, /^ajv/, "ajv lives in lib/schema alone"],
  [/^(functions|cli)\//, /^ajv/, "ajv lives in lib/schema alone"],
  [/^(lib\/(?!cloudevent)|functions|cli)/, /^cloudevents$/, "one file evens out the SDK's quirks"],
  [
    /^(lib\/(?!cluster\/)|functions|cli)/,
    /^@kubernetes\//,
    "client-node is configuration of the HTTP cluster alone",
  ],
];

/** Files that may touch processes, files, sockets or the clock: the rim. */
const rim =
  /^(cli\/|functions\/[a-z]+\/index\.ts|lib\/(serve|log|hash)\.ts|lib\/compiler\/|lib\/cluster\/(http|kubeconfig|transport)[a-z-]*\.ts|lib\/compiled\/pack\.ts|functions\/mock\/request\/(encoding|decompress)\.ts)/;

test("imports go from cli to functions to lib, and each room keeps to its own", () => {
  const wrong = files.flatMap((file) =>
    importsOf(file).flatMap((target) =>
      forbidden
        .filter(([from, to]) => from.test(file) && to.test(target))
        .map(([, , why]) => `${file} imports ${target}: ${why}`),
    ),
  );
  expect(wrong).toEqual([]);
});

test("what is not on the rim is pure: no node module, no clock, no randomness, no environment", () => {
  const impure = files
    .filter((file) => !rim.test(file))
    .flatMap((file) => {
      const nodes = importsOf(file).filter((name) => name.startsWith("node:"));
      const text = readFileSync(file, "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
      const globals = [
        /\bprocess\.\w+/,
        /\bDate\.now\(/,
        /\bnew Date\(\)/,
        /\bMath\.random\(/,
        /\bcrypto\.\w+\(/,
      ].flatMap((pattern) => pattern.exec(text)?.[0] ?? []);
      return [...nodes, ...globals].map((name) => `${file} uses ${name}`);
    });
  expect(impure).toEqual([]);
});

test("only the entry files read the environment or end the process", () => {
  const wrong = files
    .filter(
      (file) =>
        !/^(functions\/[a-z]+\/index\.ts|cli\/main\.ts|lib\/compiler\/main\.ts)$/.test(file),
    )
    .filter((file) => /process\.(env|exit)\b/.test(readFileSync(file, "utf8")));
  expect(wrong).toEqual([]);
});

test("every import of a file of ours names a file that is there", () => {
  const missing = files.flatMap((file) =>
    importsOf(file).filter(
      (target) => /^(cli|functions|lib)\//.test(target) && !existsSync(target),
    ),
  );
  expect(missing).toEqual([]);
});

test("every folder of code is on the map", () => {
  const map = readFileSync("ARCHITECTURE.md", "utf8");
  const folders = [...new Set(files.map((file) => dirname(file)))];
  expect(folders.filter((folder) => !map.includes(`\`${folder}/\``))).toEqual([]);
});
