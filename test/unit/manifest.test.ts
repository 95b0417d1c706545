import { expect, test } from "vitest";
import { readManifests } from "../../cli/manifest.ts";

const only = (text: string, file = "x.yaml") => {
  const { manifests, problems } = readManifests(text, file);
  expect(problems).toEqual([]);
  expect(manifests).toHaveLength(1);
  return manifests[0]!;
};

const definitionPath = ["spec", "definition"];

test.for([
  ["bets.yaml", "bets"],
  ["a/b/My API_v2.JSON", "my-api-v2"],
  ["3.1-petstore.yml", "mock-3-1-petstore"],
  ["--.yaml", "mock"],
  [`${"long".repeat(30)}.yaml`, "long".repeat(30).slice(0, 63)],
] as const)("the OpenAPI document %s becomes the mock %s", ([file, name]) => {
  const { object, textAt } = only("openapi: 3.0.3\n", file);
  expect(object.metadata).toEqual({ name, namespace: "default" });
  expect(object["spec"]).toEqual({ definition: "openapi: 3.0.3\n" });
  expect(textAt(definitionPath).placeInFile({ line: 3, column: 4 })).toEqual({
    line: 3,
    column: 4,
  });
});

const mock = (definition: string): string =>
  `kind: APIMock\napiVersion: apirator.io/v1alpha1\nmetadata: {name: x, namespace: n}\nspec:\n  definition: ${definition}`;

test.for([
  ["a literal block", "|\n    openapi: 3.0.3\n    info: {}\n", { line: 7, column: 7 }],
  ["one that keeps its end", "|+\n    a: 1\n    b: 2\n\n", { line: 7, column: 7 }],
  ["one with a comment behind its mark", "| # text\n    a: 1\n    b: 2\n", { line: 7, column: 7 }],
  ["one that begins with an empty line", "|\n\n    a: 1\n", { line: 7, column: 7 }],
  ["one that says how far it is indented", "|2\n      a: 1\n    b: 2\n", { line: 7, column: 7 }],
] as const)("line 2, column 3 of %s is found in the file", ([, definition, place]) => {
  expect(only(mock(definition)).textAt(definitionPath).placeInFile({ line: 2, column: 3 })).toEqual(
    place,
  );
});

test.for(['"openapi: 3.0.3\\ninfo: {}"', ">\n    a: 1\n    b: 2\n", "plain"])(
  "lines of %j are not the file's",
  (definition) => {
    expect(
      only(mock(definition)).textAt(definitionPath).placeInFile({ line: 1, column: 1 }),
    ).toBeUndefined();
  },
);

test("a field is found in the file, or the nearest one above it", () => {
  const { placeOfField } = only(mock("x\n  scale:\n    min: -1\n"));
  expect(placeOfField("spec.scale.min")).toEqual({ line: 7, column: 10 });
  expect(placeOfField("spec.scale.max")).toEqual({ line: 7, column: 5 });
  expect(placeOfField("status")).toEqual({ line: 1, column: 1 });
});

test("documents that say nothing are passed over", () => {
  const { manifests, problems } = readManifests(
    `---\n# nothing\n---\n${mock("x")}\n---\n`,
    "x.yaml",
  );
  expect({ count: manifests.length, problems }).toEqual({ count: 1, problems: [] });
});

test.for([
  [
    "an alias that multiplies",
    `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n`,
  ],
  ["a list", "- a\n"],
  ["a number", "7\n"],
  ["an alias of nothing", "a: *b\n"],
  ["two roots", "a: 1\n[b]\n"],
] as const)("%s is a problem with a place, never a fault", ([, text]) => {
  const { manifests, problems } = readManifests(text, "x.yaml");
  expect(manifests).toEqual([]);
  expect(problems).toHaveLength(1);
  expect(problems[0]?.line).toBeGreaterThan(0);
  expect(problems[0]?.message).toMatch(/^[^\n]+$/);
});
