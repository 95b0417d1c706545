import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { reasons } from "../../functions/reconcile/conditions.ts";
import { findingCodes } from "../../lib/finding.ts";
import { problems } from "../../lib/problem.ts";

const page = readFileSync("docs/errors.md", "utf8");

/** The codes that a section of the page explains, each with its words. */
function explained(section: string): Map<string, string> {
  const [, text = ""] = page.split(new RegExp(`^## ${section}$`, "m"));
  const [own = ""] = text.split(/^## /m);
  const entries = own.split(/^### /m).slice(1);
  return new Map(
    entries.map((entry) => {
      const [heading = "", ...lines] = entry.split("\n");
      return [heading.replaceAll("`", "").trim(), lines.join(" ").trim()];
    }),
  );
}

test.for([
  ["Findings", Object.keys(findingCodes)],
  ["Problems", Object.keys(problems)],
  ["Reasons", [...reasons]],
] as const)("%s: every code is explained, and nothing else is", ([section, codes]) => {
  const words = explained(section);
  expect(new Set(words.keys())).toEqual(new Set<string>(codes));
  for (const [code, text] of words)
    expect(text.length, `${code} says too little`).toBeGreaterThan(40);
});
