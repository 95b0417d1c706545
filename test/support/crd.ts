import { readFileSync } from "node:fs";
import { parse } from "yaml";

const file = new URL("../../knative/crd/apimock.yaml", import.meta.url);
let read: unknown;

/** Answers the APIMock's CustomResourceDefinition as it is installed: read once, because many tests make many clusters, and frozen. */
export function apimockCrd(): unknown {
  read ??= parse(readFileSync(file, "utf8"), (_, value: unknown) => Object.freeze(value));
  return read;
}
