/* oxlint-disable vitest/valid-expect, vitest/no-conditional-expect -- a case says what to expect; the message shows the whole answer */
import { expect, test } from "vitest";
import { Document, isScalar, parseDocument } from "yaml";
import { compileDefinition } from "../../lib/definition/compile.ts";
import type { MockSettings } from "../../functions/mock/settings.ts";
import { mockOf } from "./mock.ts";
import type { Answered, TestMock } from "./mock.ts";
import { declaredMedia, misfits } from "./second-validator.ts";

/**
 * A case file: one scenario, readable by anyone, the form a bug report is written in. `document` is OpenAPI, as YAML in place or as
 * text; `request` and `answer`, or `requests`, each with its `answer`, when one request says too little.
 */
interface CaseFile {
  readonly about: string;
  readonly settings?: Partial<MockSettings>;
  readonly request?: CaseRequest;
  readonly answer?: CaseAnswer;
  readonly requests?: readonly (CaseRequest & { readonly answer: CaseAnswer })[];
  /** What is found in the definition, each by the members named; there may be more. */
  readonly findings?: readonly Readonly<Record<string, unknown>>[];
}

interface CaseRequest {
  readonly method?: string;
  /** The request target as it stands on the wire: path and query, nothing decoded. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** One of: a JSON body, a text, bytes in base64. */
  readonly json?: unknown;
  readonly text?: string;
  readonly base64?: string;
}

/** What the answer must have; what is not named may be anything. */
interface CaseAnswer {
  readonly status: number;
  /** By name in any case: the value, null where the field must be absent, or `{includes: TEXT}`. */
  readonly headers?: Readonly<Record<string, string | null | { readonly includes: string }>>;
  /** The body as JSON, whole. */
  readonly json?: unknown;
  /** Members that the JSON body has among others. */
  readonly has?: unknown;
  /** The body, to the letter; "" for none. */
  readonly text?: string;
  /** A part of the body. */
  readonly includes?: string;
  /** A problem of this code, with exactly these violations, each by the members named. */
  readonly problem?: { readonly code: string; readonly violations?: readonly unknown[] };
  /** True: the body fits the schema that the operation declares for it, by a second validator. */
  readonly valid?: true;
}

/** Registers a case file as one test, named by what it shows. */
export function testCase(text: string): void {
  const file = parseDocument(text);
  const node = file.get("document", true);
  const wanted = file.toJS() as CaseFile;
  // oxlint-disable-next-line vitest/valid-title -- the file has the title
  test(wanted.about, async () => {
    expect(file.errors, "the case file is no YAML").toEqual([]);
    const definition = definitionText(node);
    if (wanted.findings !== undefined) await compareFindings(definition, wanted.findings);
    const steps = [
      ...(wanted.request === undefined ? [] : [{ ...wanted.request, answer: wanted.answer }]),
      ...(wanted.requests ?? []),
    ];
    if (steps.length === 0) return;
    const mock = await mockOf(definition, wanted.settings);
    for (const { answer, ...request } of steps) {
      if (answer === undefined) throw new Error(`${request.path}: the case file says no answer`);
      // One after the other, as they stand in the file.
      // oxlint-disable-next-line no-await-in-loop
      compare(mock, request, answer, await send(mock, request));
    }
  });
}

/** The document as text: what a user would write, in their order. A document without `info` gets one: it says nothing of a scenario. */
function definitionText(node: unknown): string {
  if (isScalar(node)) return String(node.value);
  const document = new Document(node);
  if (!document.has("info")) document.set("info", { title: "A case", version: "1" });
  return document.toString();
}

async function compareFindings(
  definition: string,
  wanted: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const { findings } = await compileDefinition(definition, { now: () => 0 });
  expect(findings, `found is ${JSON.stringify(findings, null, 2)}`).toEqual(
    expect.arrayContaining(wanted.map((finding): unknown => expect.objectContaining(finding))),
  );
}

function send(mock: TestMock, request: CaseRequest): Promise<Answered> {
  const { method = "GET", path, json, text, base64 } = request;
  const body = json === undefined ? text : JSON.stringify(json);
  const named = Object.keys(request.headers ?? {}).map((name) => name.toLowerCase());
  const typed = json === undefined || named.includes("content-type");
  const headers = { ...(!typed && { "Content-Type": "application/json" }), ...request.headers };
  const bytes = base64 === undefined ? body : Uint8Array.from(Buffer.from(base64, "base64"));
  return mock.send(method, path, { headers, ...(bytes !== undefined && { body: bytes }) });
}

function compare(mock: TestMock, request: CaseRequest, wanted: CaseAnswer, got: Answered): void {
  const seen: Record<string, unknown> = { status: got.status };
  const expected: Record<string, unknown> = { status: wanted.status };
  const note = (name: string, value: unknown, wish: unknown): void => {
    seen[name] = value;
    expected[name] = wish;
  };
  for (const [name, value] of Object.entries(wanted.headers ?? {})) {
    note(`header ${name}`, got.headers.get(name), fieldMatcher(value));
  }
  if (wanted.json !== undefined) note("json", got.json, wanted.json);
  if (wanted.has !== undefined) note("json", got.json, partly(wanted.has));
  if (wanted.text !== undefined) note("text", got.text, wanted.text);
  if (wanted.includes !== undefined)
    note("body", got.text, expect.stringContaining(wanted.includes));
  if (wanted.problem !== undefined) {
    const { code, violations } = wanted.problem;
    const problem = got.json as { type?: string; violations?: unknown } | undefined;
    note("problem", problem?.type, `https://apirator.io/problems/${code}`);
    if (violations !== undefined) note("violations", problem?.violations, violations.map(partly));
  }
  if (wanted.valid) note("misfits", misfitsOf(mock, request, got), []);
  expect(seen, report(request, got)).toEqual(expected);
}

function fieldMatcher(value: string | null | { readonly includes: string }): unknown {
  return typeof value === "object" && value !== null
    ? expect.stringContaining(value.includes)
    : value;
}

/** Objects may have more members, at any depth; lists have the same length. */
function partly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(partly);
  if (typeof value !== "object" || value === null) return value;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(value).map(([name, member]) => [name, partly(member)])),
  );
}

function misfitsOf({ compiled }: TestMock, request: CaseRequest, got: Answered): string[] {
  const { method = "GET" } = request;
  const same = compiled.operations.filter((operation) => operation.method === method);
  const [operation] = same;
  if (operation === undefined || same.length > 1) return [`there are ${same.length} of ${method}`];
  const type = got.headers.get("content-type") ?? "";
  const media = declaredMedia(compiled, operation.id, { status: got.status, type });
  return media?.schema === undefined
    ? ["no schema is declared"]
    : misfits(compiled, media.schema, got.json);
}

function report({ method = "GET", path }: CaseRequest, got: Answered): string {
  const fields = [...got.headers].map(([name, value]) => `${name}: ${value}`);
  return [
    `${method} ${path} was answered with`,
    String(got.status),
    ...fields,
    "",
    got.text.slice(0, 4000),
  ].join("\n");
}
