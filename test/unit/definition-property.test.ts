import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";

import { compileDefinition } from "../../lib/definition/compile.ts";
import type { Definition } from "../../lib/definition/definition.ts";
import { normalise } from "../../lib/definition/normalise.ts";
import { parseText } from "../../lib/definition/parse.ts";
import { referencesOf } from "../../lib/definition/references.ts";
import { brokenRules } from "../../lib/definition/rules.ts";
import { versionOf } from "../../lib/definition/version.ts";
import { findingCodes } from "../../lib/finding.ts";
import { mutated, mutations } from "../support/mutation.ts";

const root = dirname(createRequire(import.meta.url).resolve("@readme/oas-examples/package.json"));

const documents = [
  "2.0/json/petstore.json",
  "3.0/json/petstore.json",
  "3.0/json/discriminators.json",
  "3.0/json/circular.json",
  "3.1/json/train-travel.json",
].map((file): unknown => JSON.parse(readFileSync(join(root, file), "utf8")));

const changed = fc
  // As YAML now and then: reading that takes ten times as long, and has tests of its own.
  .tuple(fc.constantFrom(...documents), mutations, fc.nat(9))
  .map(([document, changes, yaml]) => {
    const value = mutated(document, changes);
    return yaml === 0 ? stringify(value) : JSON.stringify(value);
  });

/** Everything but the parser of others, which takes a tenth of a second. */
function ownSteps(text: string): string {
  const parsed = parseText(text);
  if ("remarks" in parsed) return "unreadable";
  const { source } = parsed;
  const known = versionOf(source.root);
  if ("remark" in known) return "no version";
  const definition: Definition = {
    ...known,
    source,
    root: source.root,
    references: referencesOf(source.root),
  };
  for (const { pointer } of brokenRules(definition))
    expect(source.place(pointer).line).toBeGreaterThan(0);
  return JSON.stringify(normalise(definition, "", () => undefined));
}

test("reading, rules and normalising stand whatever is done to a document", () => {
  fc.assert(
    fc.property(changed, (text) => {
      expect(ownSteps(text).length).toBeLessThan(20 * text.length + 10_000);
    }),
    { numRuns: 200 },
  );
});

test("compiling never throws, and ends with a definition or with an error that says why", async () => {
  await fc.assert(
    fc.asyncProperty(changed, async (text) => {
      const { compiled, findings } = await compileDefinition(text, { now: () => 0 });
      expect(compiled === undefined).toBe(findings.some(({ severity }) => severity === "error"));
      for (const { code, message, line, column } of findings) {
        expect(findingCodes).toHaveProperty(code);
        expect(message).toMatch(/^.+$/);
        expect(Math.min(line, column)).toBeGreaterThanOrEqual(code === "too-deep" ? 0 : 1);
      }
    }),
    { numRuns: 30 },
  );
}, 120_000);

test("arbitrary text is compiled or refused", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.json()),
      async (text) => {
        const { compiled, findings } = await compileDefinition(text, { now: () => 0 });
        expect(compiled).toBeUndefined();
        expect(findings.length).toBeGreaterThan(0);
      },
    ),
    { numRuns: 200 },
  );
});

test("JSON and YAML of one document compile to the same but for their text", async () => {
  for (const document of documents) {
    const [json, yaml] = await Promise.all(
      [JSON.stringify(document), stringify(document)].map((text) =>
        compileDefinition(text, { now: () => 0 }),
      ),
    );
    const source = { text: "", syntax: "json" };
    expect({ ...yaml?.compiled, source }).toEqual({ ...json?.compiled, source });
  }
});
