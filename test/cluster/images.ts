import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ctr } from "./node.ts";
import { places } from "./places.ts";
import { programPath } from "./programs.ts";
import { run } from "./run.ts";

/** The images of the cluster itself: each is one static program. `dev.local` is a name that Knative never tries to resolve. */
const programs = [
  "pause",
  "hello",
  "coredns",
  "traefik",
  "serving-activator",
  "serving-autoscaler",
  "serving-controller",
  "serving-queue",
  "serving-webhook",
  "eventing-apiserver-receive-adapter",
  "eventing-mtping",
  "eventing-controller",
  "eventing-webhook",
  "eventing-broker-ingress",
  "eventing-broker-filter",
  "eventing-mtchannel-broker",
  "eventing-in-memory-channel-controller",
  "eventing-in-memory-channel-dispatcher",
] as const;

/** Answers the image of a program of this cluster. */
export function imageOf(program: string): string {
  return `dev.local/${program}:1`;
}

/** Imports the cluster's own images into containerd; what is there stays. */
export async function importImages(): Promise<void> {
  const there = await ctr("images", "list", "--quiet");
  const missing = programs.filter((program) => !there.includes(imageOf(program)));
  for (const program of missing) await importImage(program);
}

/** Writes one image as an OCI layout (a layer, a config, a manifest, an index) and imports it. */
async function importImage(program: string): Promise<void> {
  const folder = join(places.state, "image");
  rmSync(folder, { recursive: true, force: true });
  const blobs = join(folder, "layout", "blobs", "sha256");
  mkdirSync(blobs, { recursive: true });
  const path = programPath(program);
  const layer = join(folder, "layer.tar");
  await run("tar", [
    "--create",
    `--file=${layer}`,
    "--mtime=@0",
    "--owner=0",
    "--group=0",
    `--transform=s,.*,${program},`,
    "--directory",
    join(path, ".."),
    basename(path),
  ]);
  const keep = (bytes: Uint8Array, mediaType: string) => {
    const hash = createHash("sha256").update(bytes).digest("hex");
    writeFileSync(join(blobs, hash), bytes);
    return { mediaType, digest: `sha256:${hash}`, size: bytes.length };
  };
  const json = (value: object, mediaType: string) =>
    keep(Buffer.from(JSON.stringify(value)), mediaType);
  const content = keep(readFileSync(layer), "application/vnd.oci.image.layer.v1.tar");
  const config = json(
    {
      architecture: process.arch === "arm64" ? "arm64" : "amd64",
      os: "linux",
      config: { Entrypoint: [`/${program}`], User: "65532:65532" },
      rootfs: { type: "layers", diff_ids: [content.digest] },
    },
    "application/vnd.oci.image.config.v1+json",
  );
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const manifest = json({ schemaVersion: 2, mediaType, config, layers: [content] }, mediaType);
  const index = {
    schemaVersion: 2,
    manifests: [{ ...manifest, annotations: { "io.containerd.image.name": imageOf(program) } }],
  };
  writeFileSync(join(folder, "layout", "index.json"), JSON.stringify(index));
  writeFileSync(join(folder, "layout", "oci-layout"), '{"imageLayoutVersion":"1.0.0"}');
  const archive = join(folder, "image.tar");
  await run("tar", ["--create", `--file=${archive}`, "--directory", join(folder, "layout"), "."]);
  await ctr("images", "import", archive);
  rmSync(folder, { recursive: true });
}
