import { expect, test } from "vitest";

import { compile } from "../support/definition.ts";

test.for([
  ["swagger: '2.0'", "2.0"],
  ["swagger: 2.0", "2.0"],
  ["openapi: 3.0.0", "3.0.0"],
  ["openapi: 3.0.4", "3.0.4"],
  ["openapi: 3.1.0", "3.1.0"],
  ["openapi: 3.1.1", "3.1.1"],
] as const)("%s is understood", async ([line, version]) => {
  const { compiled, findings } = await compile(
    `${line}\ninfo: {title: t, version: '1'}\npaths: {/p: {get: {responses: {'200': {description: d}}}}}`,
  );
  expect(findings).toEqual([]);
  expect(compiled?.version).toBe(version);
});

test.for([
  ["title: no version at all", "unknown-version", 1],
  ["openapi: 3.0", "unknown-version", 1],
  ["openapi: 3.1", "unknown-version", 1],
  ["openapi: null", "unknown-version", 1],
  ["openapi: '2.0'", "unknown-version", 1],
  ["openapi: 3.3.0", "unknown-version", 1],
  ["openapi: 4.0.0", "unknown-version", 1],
  ["openapi: latest", "unknown-version", 1],
  ["info: {}\nswagger: '1.2'", "unknown-version", 2],
  ["info: {}\nopenapi: 3.2.0", "unsupported-version", 2],
] as const)("%s is refused", async ([text, code, line]) => {
  const { compiled, findings } = await compile(text);
  expect(compiled).toBeUndefined();
  expect(findings).toMatchObject([{ severity: "error", code, line }]);
});

test("a version as number says how to write it", async () => {
  const { findings } = await compile("openapi: 3.0\npaths: {}");
  expect(findings[0]?.message).toContain('openapi: "3.0.4"');
});

test("3.2 says what works instead", async () => {
  const { findings } = await compile("openapi: 3.2.0\npaths: {}");
  expect(findings[0]?.message).toContain("3.1.1");
});
