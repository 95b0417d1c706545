import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import { expect, test } from "vitest";

import { findingsOf } from "../support/definition.ts";

const root = dirname(createRequire(import.meta.url).resolve("@readme/oas-examples/package.json"));

const files = ["2.0", "3.0", "3.1"].flatMap((version) =>
  readdirSync(join(root, version, "yaml"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => `${version}/yaml/${file}`),
);

test.for(files)("%s compiles without error", { timeout: 120_000 }, async (file) => {
  const findings = await findingsOf(readFileSync(join(root, file), "utf8"));
  expect(findings.filter((finding) => finding.startsWith("error"))).toEqual([]);
});
