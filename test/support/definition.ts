import type { Compiled, Operation } from "../../lib/compiled/compiled.ts";
import { compileDefinition } from "../../lib/definition/compile.ts";
import type { Finding } from "../../lib/finding.ts";

/** A document, or members that make one of version 3.0.4 when joined with what every document has. */
export type Document = Readonly<Record<string, unknown>>;

/** Answers the text of a whole document around the members that a test is about. */
export function textOf(document: Document): string {
  const whole = { openapi: "3.0.4", info: { title: "Test", version: "1" }, paths: {}, ...document };
  const { openapi, ...rest } = whole;
  return JSON.stringify("swagger" in rest ? rest : { openapi, ...rest });
}

/** Answers what a text, or a document as `textOf` completes it, compiles to. Time stands still. */
export async function compile(document: string | Document) {
  const text = typeof document === "string" ? document : textOf(document);
  return compileDefinition(text, { now: () => 0 });
}

/** Answers the compiled definition, and throws with its findings where there is none. */
export async function compiledFrom(document: string | Document): Promise<Compiled> {
  const { compiled, findings } = await compile(document);
  if (compiled === undefined) throw new Error(JSON.stringify(findings));
  return compiled;
}

/** Answers the findings in short: `severity code pointer`. */
export async function findingsOf(document: string | Document): Promise<string[]> {
  const { findings } = await compile(document);
  return findings.map(short);
}

function short({ severity, code, pointer }: Finding): string {
  return `${severity} ${code} ${pointer}`;
}

/** Answers the only operation of a document whose path item at `/p` is given. */
export async function operationFrom(item: Document, rest: Document = {}): Promise<Operation> {
  const { operations } = await compiledFrom({ paths: { "/p": item }, ...rest });
  const [operation] = operations;
  if (operation === undefined) throw new Error("no operation");
  return operation;
}

/** Responses of an operation that a test says nothing about. */
export const anyResponses = { "200": { description: "fine" } };

/** Answers what components become, each of which a response names, in a document of the given version. */
export async function schemasFrom(
  version: string,
  schemas: Document,
): Promise<Compiled["schemas"]> {
  const v2 = version === "2.0";
  const prefix = v2 ? "#/definitions" : "#/components/schemas";
  const paths = Object.keys(schemas).map((name) => {
    const schema = { $ref: `${prefix}/${encodeURIComponent(name)}` };
    const body = v2 ? { schema } : { content: { "application/json": { schema } } };
    return [
      `/${name}`,
      { get: { responses: { "200": { description: "fine", ...body } } } },
    ] as const;
  });
  const compiled = await compiledFrom({
    ...(v2
      ? { swagger: "2.0", definitions: schemas }
      : { openapi: version, components: { schemas } }),
    paths: Object.fromEntries(paths),
  });
  return compiled.schemas;
}
