import { createMetrics } from "../../lib/metrics.ts";
import { answer } from "./answer.ts";
import { isPreflight, preflight, withCors } from "./cors.ts";
import type { Course } from "./course.ts";
import type { Answer, MockRequest } from "./exchange.ts";
import { internalFault } from "./exit.ts";
import type { MockBindings } from "./inbound.ts";
import { inboundBody, inboundHeaders, rawTarget } from "./inbound.ts";
import type { MockDeps } from "./mock.ts";
import { createMock } from "./mock.ts";
import { toResponse } from "./outbound.ts";
import { createReserved } from "./reserved.ts";
import { finish, wait, type Waiting } from "./waiting.ts";

export type { MockBindings } from "./inbound.ts";
export type { MockDeps } from "./mock.ts";

/** Answers requests of the web; `env` is what the server handed on. */
export interface MockApp {
  fetch(this: void, request: Request, env?: MockBindings): Response | Promise<Response>;
}

/**
 * Answers the app of a mock: the operations of its definition, and the mock's own paths below `/__apirator/`. The request target is
 * `env.target`, else Node's own; no request makes it throw, a fault of its own is a 500 with an id that the log has too.
 */
export function createMockApp(deps: MockDeps): MockApp {
  const { settings, log, random } = deps;
  const mock = createMock(deps);
  const metrics = createMetrics();
  const answers = metrics.counter({
    name: "apirator_mock_answers",
    help: "Answers by operation and status.",
    labels: ["operation", "status"],
  });
  const reserved = createReserved(mock, metrics);

  function* tell(request: MockRequest): Waiting<Answer> {
    // 0. A browser asks the server before it asks the API.
    if (settings.cors && isPreflight(request)) return preflight(request);

    // 1. The mock's own paths.
    const own = reserved(request);
    if (own !== undefined) return yield* wait(own);

    const course: Course = {};
    const said = yield* answer(mock, request, course);
    const { route, manner } = course;
    answers.add([route?.kind === "operation" ? route.operation.id : "", String(said.status)]);
    if (manner?.preference.explain === undefined) return said;
    return (yield* wait(import("./explain.ts"))).explain(mock, request, said, course);
  }

  function* tellSafely(request: MockRequest): Waiting<Answer> {
    try {
      return yield* tell(request);
    } catch (error) {
      const id = random().toString(36).slice(2, 10);
      const stack = error instanceof Error ? error.stack : String(error);
      log("error", "the mock made a mistake", { id, method: request.method, stack });
      return internalFault(id);
    }
  }

  function* serve(raw: Request, env: MockBindings | undefined): Waiting<Response> {
    const { method } = raw;
    const headers = inboundHeaders(raw, env);
    const body = inboundBody(raw, env);
    const target = rawTarget(raw, env);
    const said = yield* tellSafely({ method, target, headers, body: () => body.read() });
    // A preflight says all of CORS itself.
    const open = settings.cors && !isPreflight({ method, headers });
    const fields = open ? withCors(headers.get("origin"), said.headers) : said.headers;
    return toResponse(method, { ...said, headers: fields }, yield* wait(body.drain()));
  }

  return { fetch: (request, env) => finish(serve(request, env)) };
}
