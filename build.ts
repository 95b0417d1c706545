import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile, type Plugin, transform } from "esbuild";

/** Where it goes: `node build.ts [FOLDER]`. The folder is emptied first. */
const [folder = "dist"] = process.argv.slice(2);

/** What is made: each start file with the parts that it loads when needed. */
const programs: readonly { name: string; entry: string; plugins: Plugin[]; inject?: string[] }[] = [
  { name: "reconcile", entry: "functions/reconcile/index.ts", ...asFunction(clusterPlugins()) },
  { name: "resync", entry: "functions/resync/index.ts", ...asFunction(clusterPlugins()) },
  { name: "mock", entry: "functions/mock/index.ts", ...asFunction([]) },
  { name: "cli", entry: "cli/main.ts", plugins: clusterPlugins() },
  { name: "compile", entry: "lib/compiler/main.ts", plugins: [] },
  { name: "start", entry: "image/start.ts", plugins: [] },
  { name: "warm", entry: "image/warm.ts", plugins: [] },
];

/**
 * Bundles as ES modules, because esbuild splits only those, then rewrites each file as CommonJS, because it starts 40 ms earlier.
 * So a part that is loaded by `import()` is a file of its own, and no module is there twice in one program.
 */
async function buildProgram({
  name,
  entry,
  plugins,
  inject = [],
}: (typeof programs)[number]): Promise<Metafile> {
  const { metafile, outputFiles } = await build({
    entryPoints: [{ in: entry, out: name }],
    outdir: folder,
    outExtension: { ".js": ".cjs" },
    chunkNames: `${name}-[hash]`,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    minify: true,
    legalComments: "none",
    inject: ["image/older-node.ts", ...inject],
    metafile: true,
    write: false,
    logLevel: "warning",
    // The library as ES modules: `import()` of a CommonJS one has no named exports once it is split off.
    alias: { yaml: fileURLToPath(new URL("node_modules/yaml/browser/index.js", import.meta.url)) },
    plugins: [sideEffectFree, ...plugins],
  });
  for (const { path, text } of outputFiles) {
    const file = basename(path);
    const code = await asCommonJs(text);
    writeFileSync(`${folder}/${file}`, file === "cli.cjs" ? `#!/usr/bin/env node\n${code}` : code);
    const output = metafile.outputs[relative(process.cwd(), path).replaceAll("\\", "/")];
    if (output !== undefined) output.bytes = Buffer.byteLength(code);
  }
  return metafile;
}

async function asCommonJs(text: string): Promise<string> {
  const { code } = await transform(text, {
    format: "cjs",
    platform: "node",
    target: "node20",
    minify: true,
    define: { "import.meta.url": "fileUrl" },
    // `import()` would start Node's loader of ES modules.
    supported: { "dynamic-import": false },
  });
  const fileUrl = text.includes("import.meta.url")
    ? `const fileUrl=require("node:url").pathToFileURL(__filename).href;`
    : "";
  // What was written as an ES module counts on strict mode.
  return `"use strict";${fileUrl}${code}`;
}

/** These packages do not say so, but loading them does nothing: what is not used of them is left out. */
const sideEffectFree: Plugin = {
  name: "side-effect-free",
  setup(build) {
    const filter = /^@kubernetes\/client-node/;
    build.onResolve({ filter }, async ({ path, pluginData, ...rest }) => {
      if (pluginData === "seen") return undefined;
      const resolved = await build.resolve(path, { ...rest, pluginData: "seen" });
      return { ...resolved, sideEffects: false };
    });
  },
};

/**
 * The Kubernetes client without what only its own requests need (undici, proxies, the generated API) and without logins that kubectl
 * has given up or that a browser belongs to. What is left out says so when it is used.
 */
function clusterPlugins(): Plugin[] {
  const leftOut: Readonly<Record<string, readonly string[]>> = {
    undici: ["Agent", "ProxyAgent"],
    "socks-proxy-agent": ["SocksProxyAgent"],
    socks: ["SocksClient"],
    hpagent: ["HttpProxyAgent", "HttpsProxyAgent"],
    "./gen/index.js": ["createConfiguration", "ServerConfiguration"],
    "./middleware.js": ["setHeaderMiddleware"],
  };
  const logins: Readonly<Record<string, readonly [exported: string, provider: string]>> = {
    "./gcp_auth.js": ["GoogleCloudPlatformAuth", "gcp"],
    "./azure_auth.js": ["AzureAuth", "azure"],
    "./oidc_auth.js": ["OpenIDConnectAuth", "oidc"],
  };
  const absent = (name: string): string =>
    `export class ${name} { constructor() { throw new Error("${name} is not part of this build"); } }`;
  const login = ([name, provider]: readonly [string, string]): string => `export class ${name} {
    isAuthProvider(user) { return user.authProvider?.name === "${provider}"; }
    applyAuthentication() { throw new Error("the login ${provider} of the kubeconfig is not supported; use a credential plugin (exec) or a token"); }
  }`;
  const sources = new Map([
    ...Object.entries(leftOut).map(
      ([path, names]) => [path, names.map(absent).join("\n")] as const,
    ),
    ...Object.entries(logins).map(([path, what]) => [path, login(what)] as const),
    ["../package.json", "export default {};"] as const,
  ]);
  return [
    {
      name: "client-configuration-alone",
      setup(build) {
        build.onResolve({ filter: /./ }, ({ path, importer }) =>
          sources.has(path) && importer.includes("client-node/dist/")
            ? { path, namespace: "left-out", sideEffects: false }
            : undefined,
        );
        build.onLoad({ filter: /./, namespace: "left-out" }, ({ path }) => ({
          contents: sources.get(path) ?? "",
        }));
      },
    },
  ];
}

/**
 * What makes a function start early: the server adapter without what it loads and hardly needs, that is Node's HTTP/2 (functions speak
 * HTTP/1.1) and Node's fetch classes (see image/late-fetch.ts).
 */
function asFunction(plugins: readonly Plugin[]): { plugins: Plugin[]; inject: string[] } {
  const late = resolve("image/late-fetch.ts");
  const adapter: Plugin = {
    name: "early-adapter",
    setup(build) {
      const filter = /@hono[/\\]node-server[/\\]dist[/\\]index\.mjs$/;
      build.onResolve({ filter: /^node:http2$/ }, ({ importer, path }) =>
        filter.test(importer) ? { path, namespace: "left-out", sideEffects: false } : undefined,
      );
      build.onLoad({ filter: /^node:http2$/, namespace: "left-out" }, () => ({
        contents: "export class Http2ServerRequest {} export const constants = {};",
      }));
      build.onLoad({ filter }, ({ path }) => ({
        contents: `import { adapted as global, adapted as globalThis } from ${JSON.stringify(late)};
          ${readFileSync(path, "utf8")}`,
      }));
    },
  };
  return { plugins: [adapter, ...plugins], inject: [late] };
}

/** Answers the licence of each package that is in the bundles: most ask for their text to go along. */
function licences({ outputs }: Metafile): string {
  const bundled = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => {
      const root = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
      return root !== undefined && bytesInOutput > 0 ? [root] : [];
    }),
  );
  const texts = [...new Set(bundled)].toSorted().map((root) => {
    const { name, version, license } = JSON.parse(
      readFileSync(`${root}/package.json`, "utf8"),
    ) as Record<string, string>;
    const file = readdirSync(root).find((file) => /^licen[cs]e/i.test(file));
    const text = file === undefined ? "" : readFileSync(`${root}/${file}`, "utf8").trim();
    return `${name} ${version} (${license})\n\n${text}`;
  });
  return `${texts.join("\n\n----\n\n")}\n`;
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const metafiles = await Promise.all(programs.map(buildProgram));
const meta: Metafile = {
  inputs: Object.assign({}, ...metafiles.map(({ inputs }) => inputs)) as Metafile["inputs"],
  outputs: Object.assign({}, ...metafiles.map(({ outputs }) => outputs)) as Metafile["outputs"],
};
writeFileSync(`${folder}/meta.json`, JSON.stringify(meta));
writeFileSync(`${folder}/LICENSES.txt`, licences(meta));
chmodSync(`${folder}/cli.cjs`, 0o755);
