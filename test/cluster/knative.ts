import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { imageOf } from "./images.ts";
import { addresses } from "./places.ts";
import { knativeFolders } from "./programs.ts";

/** An object of a manifest, as far as it is looked into here. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  spec?: {
    replicas?: number;
    template?: { spec?: { containers?: { resources?: unknown }[]; affinity?: unknown } };
  };
  data?: Record<string, string>;
}

/** Kinds and names that a small cluster does without: they need images that are not built here, or count on many nodes. */
const leftOut =
  /^(HorizontalPodAutoscaler|PodDisruptionBudget|Image|Certificate) |^\w+ (job-sink|request-reply)/;

/** What differs from Knative's own configuration: the ingress, short waits, and the registry that only the node can reach. */
const settings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "config-network": { "ingress-class": "traefik.ingress.networking.knative.dev" },
  "config-deployment": {
    "queue-sidecar-image": imageOf("serving-queue"),
    "queue-sidecar-cpu-request": "10m",
    "registries-skipping-tag-resolving": `dev.local,${addresses.registry}`,
  },
  "config-domain": { "mocks.example.com": "" },
  "config-autoscaler": { "scale-to-zero-grace-period": "6s", "stable-window": "6s" },
};

/** The two ConfigMaps of images that the eventing controller's environment names, though nothing here uses them. */
const unusedImages = [
  ["eventing-transformations-images", ["transform-jsonata"]],
  [
    "eventing-integrations-images",
    [
      "timer-source",
      "aws-s3-source",
      "aws-sqs-source",
      "aws-ddb-streams-source",
      "log-sink",
      "aws-s3-sink",
      "aws-sqs-sink",
      "aws-sns-sink",
    ],
  ],
] as const;

/** Answers every object of the manifests in a folder and below it. */
function manifestsIn(folder: string): Manifest[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".yaml"))
    .toSorted()
    .flatMap((file) => parseAllDocuments(readFileSync(join(folder, file), "utf8")))
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest): manifest is Manifest => typeof manifest?.kind === "string");
}

/** Answers the object with images of this cluster and sized for one small machine. */
function fitted(manifest: Manifest): Manifest {
  const named = JSON.stringify(manifest).replaceAll(
    /ko:\/\/knative\.dev\/(serving|eventing)\/cmd\/([\w/]+)/g,
    (_, project: string, path: string) => imageOf(`${project}-${path.replaceAll(/[/_]/g, "-")}`),
  );
  const object = JSON.parse(named) as Manifest;
  const own = settings[object.metadata.name];
  if (object.kind === "ConfigMap" && own !== undefined) object.data = { ...object.data, ...own };
  if (object.kind !== "Deployment" || object.spec === undefined) return object;
  // No limit of processor time: with a small one a new Revision takes 12 s instead of 2.
  for (const container of object.spec.template?.spec?.containers ?? [])
    container.resources = { requests: { cpu: "10m" } };
  if (object.metadata.name !== "pingsource-mt-adapter") object.spec.replicas = 1;
  return object;
}

/** Answers Knative Serving and Eventing as their modules carry them, fitted to this cluster. The broker and its in-memory channel are among them. */
export function knativeManifests(): Manifest[] {
  const folders = knativeFolders();
  const objects = folders.flatMap((folder) => {
    if (!existsSync(folder))
      throw new Error(`${folder}: the module's manifests are not there; npm run cluster -- build`);
    return manifestsIn(folder);
  });
  const extra: Manifest[] = unusedImages.map(([name, keys]) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "knative-eventing" },
    data: Object.fromEntries(keys.map((key) => [key, "dev.local/none:1"])),
  }));
  return [...objects, ...extra]
    .filter((object) => !leftOut.test(`${object.kind} ${object.metadata.name}`))
    .map(fitted);
}
