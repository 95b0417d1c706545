import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** Answers the APIMock's CustomResourceDefinition as it is installed. */
export function apimockCrd(): unknown {
  return parse(readFileSync(new URL("../../knative/crd/apimock.yaml", import.meta.url), "utf8"));
}
