import type { Compiled } from "../../lib/compiled/compiled.ts";
import type { Metrics } from "../../lib/metrics.ts";
import { metricsType } from "../../lib/metrics.ts";
import { makeProblem } from "../../lib/problem.ts";
import type { Answer, MockRequest } from "./exchange.ts";
import { jsonAnswer, textAnswer } from "./exchange.ts";
import { problemAnswer } from "./exit.ts";
import type { Mock } from "./mock.ts";
import { parseTarget } from "./target.ts";

type Handler = (request: MockRequest) => Answer | Promise<Answer>;

/** Answers requests to the paths that are the mock's own; undefined for any other. */
export type Reserved = (request: MockRequest) => Answer | Promise<Answer> | undefined;

/** Paths that mocks before us had. They answer unless the document uses them. */
const borrowed: Readonly<Record<string, string>> = {
  "/__health": "/__apirator/health",
  "/__schema": "/__apirator/definition",
  "/openapi.json": "/__apirator/definition.json",
  "/openapi.yaml": "/__apirator/definition.yaml",
};

/** Answers the reserved paths of a mock. What is heavy is loaded when it is asked for. */
export function createReserved(mock: Mock, metrics: Metrics): Reserved {
  const { compiled } = mock;
  let docs: Handler | undefined;
  const own: Readonly<Record<string, Handler>> = {
    "/__apirator/health": () => jsonAnswer({ status: "ok", operations: compiled.operations.length }), // oxfmt-ignore
    "/__apirator/definition": () => definitionAnswer(compiled.source.text, compiled.source.syntax),
    "/__apirator/definition.json": async () => definitionAnswer(await sourceAs(compiled, "json"), "json"), // oxfmt-ignore
    "/__apirator/definition.yaml": async () => definitionAnswer(await sourceAs(compiled, "yaml"), "yaml"), // oxfmt-ignore
    "/__apirator/docs": async (request) => (docs ??= (await import("./docs.ts")).createDocs(compiled))(request), // oxfmt-ignore
    "/__apirator/explain": async (request) => (await import("./explain-request.ts")).explainRequest(mock, request), // oxfmt-ignore
    "/__apirator/metrics": () => textAnswer(metricsType, metrics.text()),
  };
  const table = new Map(Object.entries(own));
  for (const [path, target] of Object.entries(borrowed)) {
    const handler = own[target];
    const used = mock.route("GET", path).kind !== "no-such-path";
    if (handler !== undefined && !used) table.set(path, handler);
  }
  return (request) => {
    const path = parseTarget(request.target)?.path ?? "";
    const handler = table.get(path);
    if (handler === undefined) return path.startsWith("/__apirator/") ? unknown(path) : undefined;
    const allow = path === "/__apirator/explain" ? "GET, HEAD, OPTIONS, POST" : "GET, HEAD, OPTIONS"; // oxfmt-ignore
    if (request.method === "OPTIONS")
      return { status: 204, headers: [["Allow", allow]], body: null };
    if (allow.split(", ").includes(request.method)) return handler(request);
    return problemAnswer(
      makeProblem("no-such-method", `${path} has no ${request.method}; it has ${allow}`, { instance: path }), // oxfmt-ignore
      [["Allow", allow]],
    );
  };
}

function definitionAnswer(text: string, syntax: "json" | "yaml"): Answer {
  return textAnswer(`application/${syntax}`, text);
}

async function sourceAs({ source }: Compiled, syntax: "json" | "yaml"): Promise<string> {
  if (source.syntax === syntax) return source.text;
  const { parse, stringify } = await import("yaml");
  // Whole numbers may have more digits than a double holds.
  const whole = { intAsBigInt: true };
  return syntax === "json"
    ? JSON.stringify(parse(source.text, { merge: true, ...whole }), asNumber, 2)
    : stringify(parse(source.text, { schema: "json", ...whole }));
}

function asNumber(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? JSON.rawJSON(value.toString()) : value;
}

function unknown(path: string): Answer {
  return problemAnswer(
    makeProblem("no-such-path", `${path} is none of the mock's own paths; they are health, definition, docs, explain, metrics`, { instance: path }), // oxfmt-ignore
  );
}
