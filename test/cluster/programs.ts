import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { places } from "./places.ts";
import { run, type Say } from "./run.ts";
import { requireSpace } from "./space.ts";

/** A Go module of `programs/` and what is built of it. `level` says from which level of the cluster on it is needed. */
interface Family {
  readonly name: string;
  readonly level: "control-plane" | "node";
  readonly programs: readonly { readonly name: string; readonly package: string }[];
  readonly ldflags?: string;
}

const goEnvironment = { CGO_ENABLED: "0", GOTOOLCHAIN: "local", GOFLAGS: "-buildvcs=false" };
const version = "k8s.io/component-base/version";

const families: readonly Family[] = [
  {
    name: "kubernetes",
    level: "control-plane",
    programs: [{ name: "kubernetes", package: "." }],
    // Without a version of its own the API server fails its version checks.
    ldflags: `-X ${version}.gitVersion=v1.35.4 -X ${version}.gitMajor=1 -X ${version}.gitMinor=35`,
  },
  {
    name: "knative",
    level: "control-plane",
    programs: [
      ...["activator", "autoscaler", "controller", "queue", "webhook"].map((name) => ({
        name: `serving-${name}`,
        package: `knative.dev/serving/cmd/${name}`,
      })),
      ...[
        "apiserver_receive_adapter",
        "mtping",
        "controller",
        "webhook",
        "broker/ingress",
        "broker/filter",
        "mtchannel_broker",
        "in_memory/channel_controller",
        "in_memory/channel_dispatcher",
      ].map((name) => ({
        name: `eventing-${name.replaceAll(/[/_]/g, "-")}`,
        package: `knative.dev/eventing/cmd/${name}`,
      })),
      { name: "eventing-ping", package: "./ping" },
    ],
  },
  {
    name: "small",
    level: "node",
    programs: ["pause", "hello"].map((name) => ({ name, package: `./${name}` })),
  },
  { name: "coredns", level: "node", programs: [{ name: "coredns", package: "." }] },
  {
    name: "registry",
    level: "node",
    programs: [{ name: "crane", package: "github.com/google/go-containerregistry/cmd/crane" }],
  },
  {
    name: "traefik",
    level: "node",
    programs: [{ name: "traefik", package: "github.com/traefik/traefik/v3/cmd/traefik" }],
  },
  {
    name: "skaffold",
    level: "node",
    programs: [
      { name: "skaffold", package: "github.com/GoogleContainerTools/skaffold/v2/cmd/skaffold" },
    ],
    ldflags: "-X github.com/GoogleContainerTools/skaffold/v2/pkg/skaffold/version.version=v2.24.0",
  },
];

const sources = new URL("programs/", import.meta.url).pathname;
const cache = join(places.cache, "programs");

/** The folders of manifests that the modules of the family knative carry: of what package's module, and where in it. */
const manifestFolders: readonly (readonly [string, string])[] = [
  ["knative.dev/networking/pkg/apis/networking", "config"],
  ["knative.dev/caching/pkg/apis/caching", "config"],
  ["knative.dev/serving/cmd/controller", "config/core"],
  ["knative.dev/eventing/cmd/controller", "config/core"],
  ["knative.dev/eventing/cmd/controller", "config/channels/in-memory-channel"],
  ["knative.dev/eventing/cmd/controller", "config/brokers/mt-channel-broker"],
];

/** Answers the folder of a family's programs in the cache; its name changes with every file of the module. */
function folderOf(family: Family): string {
  const hash = createHash("sha256").update(family.ldflags ?? "");
  for (const file of readdirSync(join(sources, family.name), {
    recursive: true,
    encoding: "utf8",
  }).toSorted()) {
    if (/\.(go|mod|sum)$/.test(file))
      hash.update(file).update(readFileSync(join(sources, family.name, file)));
  }
  return join(cache, `${family.name}-${hash.digest("hex").slice(0, 12)}`);
}

/** Answers the path of a built program; throws where it is not built. */
export function programPath(name: string): string {
  const family = families.find(({ programs }) => programs.some((program) => program.name === name));
  const path = family && join(folderOf(family), name);
  if (path === undefined || !existsSync(path))
    throw new Error(`${name} is not built: npm run cluster -- build`);
  return path;
}

/** Answers the folders of Knative's own manifests, copied out of the modules beside the built programs. */
export function knativeFolders(): string[] {
  const family = families.find(({ name }) => name === "knative");
  return family === undefined
    ? []
    : manifestFolders.map((_, index) => join(folderOf(family), `manifests-${index}`));
}

async function copyManifests(draft: string, cwd: string): Promise<void> {
  for (const [index, [of, path]] of manifestFolders.entries()) {
    const module = (
      await run("go", ["list", "-f", "{{.Module.Dir}}", of], { cwd, env: goEnvironment })
    ).trim();
    cpSync(join(module, path), join(draft, `manifests-${index}`), { recursive: true });
  }
}

/** The oldest Go that every module here can be built with; `GOTOOLCHAIN=local` fetches none. */
const oldestGo = [1, 26, 4] as const;

async function requireGo(): Promise<void> {
  const remedy = `the test cluster's programs are built from Go modules; install Go ${oldestGo.join(".")} or newer (https://go.dev/dl), or give the suites a KUBECONFIG of another cluster`;
  const version = await run("go", ["env", "GOVERSION"], { env: goEnvironment }).catch(
    () => undefined,
  );
  if (version === undefined) throw new Error(`Go is not installed: ${remedy}`);
  const [major = 0, minor = 0, patch = 0] = version
    .replace("go", "")
    .split(".")
    .map(Number.parseFloat);
  const newer = major - oldestGo[0] || minor - oldestGo[1] || patch - oldestGo[2];
  if (newer < 0) throw new Error(`Go ${version.trim()} is too old: ${remedy}`);
}

/** Removes what interrupted builds have left. */
function removeDrafts(): void {
  for (const each of existsSync(cache) ? readdirSync(cache) : []) {
    const builder = /\.draft-(\d+)$/.exec(each)?.[1];
    if (builder !== undefined && !existsSync(`/proc/${builder}`))
      rmSync(join(cache, each), { recursive: true });
  }
}

/** Builds what the level needs and the cache lacks, one program after the other; says each. Answers how many were built. */
export async function buildPrograms(level: "control-plane" | "node", say: Say): Promise<number> {
  const wanted = families
    .filter((family) => level === "node" || family.level === "control-plane")
    .filter((family) => !existsSync(folderOf(family)));
  if (wanted.length > 0) {
    await requireGo();
    requireSpace(cache, 2, "XDG_CACHE_HOME");
  }
  const count = wanted.reduce((sum, family) => sum + family.programs.length, 0);
  removeDrafts();
  let done = 0;
  for (const family of wanted) {
    const folder = folderOf(family);
    const draft = `${folder}.draft-${process.pid}`;
    mkdirSync(draft, { recursive: true });
    for (const program of family.programs) {
      done += 1;
      say(`build ${done}/${count}: ${program.name}`);
      await run(
        "go",
        [
          "build",
          "-trimpath",
          "-ldflags",
          `-s -w ${family.ldflags ?? ""}`,
          "-o",
          join(draft, program.name),
          program.package,
        ],
        {
          cwd: join(sources, family.name),
          env: goEnvironment,
        },
      );
    }
    if (family.name === "knative") await copyManifests(draft, join(sources, family.name));
    // Whole or not at all: an interrupted build leaves only a draft. Another build may have been first.
    if (existsSync(folder)) rmSync(draft, { recursive: true });
    else renameSync(draft, folder);
  }
  return done;
}
