import { expect, test } from "vitest";
import { compileDefinition } from "../../lib/definition/compile.ts";

/** The errors of a document: their messages alone. */
async function said(head: string, more: string): Promise<string[]> {
  const { findings } = await compileDefinition(`${head}\n${more}`, { now: () => 0 });
  return findings.filter(({ severity }) => severity === "error").map(({ message }) => message);
}

const operation = (members: string): string =>
  `info: {title: T, version: "1"}\npaths: {/a: {get: {responses: {"200": {description: d}}, ${members}}}}`;
const parameter = (members: string): string => operation(`parameters: [{name: d, ${members}}]`);
const schema = (members: string): string => parameter(`in: query, schema: {${members}}`);

// oxfmt-ignore
test.for([
  ["3.0.3", parameter("in: query, style: matrix, schema: {}"), "style: matrix is none of a query parameter, which has form, spaceDelimited, pipeDelimited, deepObject"],
  ["3.1.0", parameter("in: header, style: form, schema: {}"), "style: form is none of a header parameter, which has simple"],
  ["3.0.3", parameter("in: query, schema: {}, content: {text/plain: {}}"), "schema and content exclude each other; keep one"],
  ["3.1.0", parameter("in: query"), "neither schema nor content says what it is"],
  ["3.0.3", parameter("in: body, schema: {}"), "in: body is of OpenAPI 2.0; describe it as requestBody"],
  ["3.1.0", parameter("in: formdata, schema: {}"), "in: formdata is none of path, query, header, cookie"],
  ["2.0", parameter("in: header, type: strin"), "type: strin is none of string, number, integer, boolean, array, file"],
  ["2.0", parameter("in: cookie, type: string"), "in: cookie is none of path, query, header, formData, body"],
  ["3.0.3", "info: {title: T, version: 1.0}\npaths: {}", "version must be string, found 1; write it in quotes"],
  ["3.0.3", "info: {title: true, version: '1'}\npaths: {}", "title must be string, found true; write it in quotes"],
  ["3.0.3", "paths: {}", "info is missing"],
  ["3.0.3", operation("requestBody: {}"), "content is missing"],
  ["3.0.3", schema('type: string, minLength: "3"'), 'minLength must be integer, found "3"'],
  ["3.0.3", schema("enum: a"), 'enum must be array, found "a"'],
  ["3.0.3", schema("type: strin"), "type must be equal to one of the allowed values (array, boolean, integer, number, object, string); did you mean string?"],
] as const)("%s: a fault is told by what it is about: %s", async ([version, text, message]) => {
  const head = version === "2.0" ? 'swagger: "2.0"' : `openapi: ${version}`;
  expect(await said(head, text)).toContain(message);
});

test("nullable in a document of 3.1 is told, with what to write", async () => {
  const text = `openapi: 3.1.0\n${schema("type: string, nullable: true")}`;
  const { findings } = await compileDefinition(text, { now: () => 0 });
  expect(findings).toMatchObject([
    {
      severity: "warning",
      code: "nullable-ignored",
      message: 'nullable has no effect from OpenAPI 3.1 on; write type: [string, "null"]',
    },
  ]);
});
