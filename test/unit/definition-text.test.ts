import { expect, test } from "vitest";

import { parseText } from "../../lib/definition/parse.ts";

function refusal(text: string): string {
  const parsed = parseText(text);
  if (!("remarks" in parsed)) return "read";
  const [first] = parsed.remarks;
  const place = first?.place === undefined ? "" : ` ${first.place.line}:${first.place.column}`;
  return `${first?.code}${place}`;
}

function sourceOf(text: string) {
  const parsed = parseText(text);
  if ("remarks" in parsed) throw new Error(JSON.stringify(parsed.remarks));
  return parsed.source;
}

const billionLaughs = Array.from({ length: 12 }, (_, level) =>
  level === 0
    ? "a0: &a0 [lol]"
    : `a${level}: &a${level} [${Array(10)
        .fill(`*a${level - 1}`)
        .join(", ")}]`,
).join("\n");

test.for([
  ["an empty text", "", "empty-document"],
  ["blanks and comments", "  \n# nothing\n", "empty-document"],
  ["the word null", "null", "empty-document"],
  ["a list", "- openapi: 3.0.4", "not-a-mapping"],
  ["plain text", "hello", "not-a-mapping"],
  ["two YAML documents", "a: 1\n---\nb: 2\n", "several-documents 2:1"],
  ["a bracket without its partner", "a: [1\nb: 2", "invalid-text 2:1"],
  ["a tab as indentation", "a:\n\tb: 1", "invalid-text 2:1"],
  ["a number without end", "a: .inf", "invalid-text"],
  ["the same key twice in YAML", "a: 1\nb:\n  c: 1\n  c: 2\n", "duplicate-key 4:3"],
  ["a key as number and as text", "200: 1\n'200': 2\n", "duplicate-key 2:1"],
  ["the same key twice in JSON", '{"a": 1,\n "b": {"c": 1, "c": 2}}', "duplicate-key 2:16"],
  ["an alias in itself", "a: &a\n  b: *a\n", "alias-cycle"],
  ["aliases of aliases of aliases", billionLaughs, "too-large"],
  ["ten thousand aliases", `a: &a 1\nb: [${Array(10_000).fill("*a").join(",")}]`, "too-large"],
  ["deep JSON", `{"a":${"[".repeat(300)}${"]".repeat(300)}}`, "too-deep 1:205"],
  ["deep YAML", `a: ${"[".repeat(300)}${"]".repeat(300)}`, "too-deep"],
  ["YAML deeper than the stack", `a: ${"[".repeat(20_000)}`, "too-deep"],
  ["more than four million characters", `a: ${"b".repeat(4 * 1024 * 1024)}`, "too-large"],
] as const)("%s is refused", ([, text, expected]) => {
  const [code, place] = refusal(text).split(" ");
  expect(place === undefined || !expected.includes(" ") ? code : `${code} ${place}`).toBe(expected);
});

test("JSON and YAML give the same values", () => {
  const json = sourceOf('{"a": {"b": [1, "x", null, true]}}');
  const yaml = sourceOf("a:\n  b: [1, x, null, true]\n");
  expect(yaml.root).toEqual(json.root);
  expect([json.syntax, yaml.syntax]).toEqual(["json", "yaml"]);
});

test("a byte order mark is no part of the text", () => {
  expect(sourceOf('\uFEFF{"a": 1}').root).toEqual({ a: 1 });
});

test("aliases and merge keys are followed", () => {
  expect(sourceOf("a: &a {x: 1}\nb: *a\nc: {<<: *a, y: 2}").root).toEqual({
    a: { x: 1 },
    b: { x: 1 },
    c: { x: 1, y: 2 },
  });
});

test.for([
  ["JSON", '{"r": {"default": 1, "404": 2, "200": 3}}'],
  ["YAML", "r:\n  default: 1\n  404: 2\n  '200': 3\n"],
] as const)("numeric keys of %s keep the order in which they are written", ([, text]) => {
  const { root, keys } = sourceOf(text);
  expect(keys(root["r"] as object)).toEqual(["default", "404", "200"]);
});

test("names of what every object inherits are plain keys", () => {
  const { root } = sourceOf('{"__proto__": {"a": 1}, "constructor": 2}');
  expect(Object.keys(root)).toEqual(["__proto__", "constructor"]);
});

test.for([
  ["JSON", '{\n  "a": {\n    "b/c": [1,\n 2]}}', 2],
  ["YAML", "\na:\n    b/c:\n    - 1\n    - 2", 7],
] as const)(
  "%s tells where a pointer's value stands, or the nearest thing above it",
  ([, text, column]) => {
    const { place } = sourceOf(text);
    expect(place("/a/b~1c/1").column).toBe(column);
    expect(place("/a/b~1c")).toEqual({ line: 3, column: 5 });
    expect(place("/a/missing/deeper")).toEqual(place("/a"));
  },
);
