import type { App } from "../lib/serve.ts";
import type { Key } from "../lib/names.ts";
import { keyText } from "../lib/names.ts";
import { makeProblem, problemText, problemType } from "../lib/problem.ts";
import type { Problem } from "../lib/problem.ts";

/** Where a request of the gateway goes: a mock's key, and the target as that mock would see it alone. */
interface Destination extends Key {
  readonly target: string;
}

/** What a gateway needs: the mocks, and the app that answers everything else. */
export interface GatewayParts {
  /** Answers undefined where no mock of that key serves. */
  readonly fetch: (key: Key, request: Request, env: object) => Promise<Response> | undefined;
  /** Answers why a mock does not serve, or undefined where there is none of that key. */
  readonly why: (key: Key) => string | undefined;
  /** Answers the page and what belongs to it, or undefined: the path is a mock's. */
  readonly page: (target: string, request: Request) => Response | undefined;
}

/**
 * Answers the app that serves every mock below `/NAMESPACE/NAME/`. Mocks get the rest of the raw request target as `env.target`: nothing is
 * decoded or normalised on the way. What no mock answers is a problem.
 */
export function createGateway(parts: GatewayParts): App {
  return {
    fetch: async (request, env) => {
      const target = rawTarget(request, env);
      const page = parts.page(target, request);
      if (page !== undefined) return page;
      const destination = destinationOf(target);
      if (destination === undefined) return noSuchMock(target);
      const { target: rest, ...key } = destination;
      const response = parts.fetch(key, request, { ...env, target: rest });
      if (response === undefined) return notServing(key, parts.why(key));
      return response.catch((error: unknown) =>
        notServing(key, error instanceof Error ? error.message : String(error)),
      );
    },
  };
}

/** Answers the request target as it stood in the request line; without a server behind the request, that of its URL. */
function rawTarget(
  request: Request,
  env: Partial<Parameters<App["fetch"]>[1]> | undefined,
): string {
  const raw = env?.incoming?.url ?? new URL(request.url).pathname + new URL(request.url).search;
  return raw.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, "");
}

/** Answers where `/NAMESPACE/NAME/REST` goes, or undefined where a target has no such form. */
function destinationOf(target: string): Destination | undefined {
  const match = /^\/([a-z0-9-]+)\/([a-z0-9-]+)(\/[^?]*)?(\?.*)?$/s.exec(target);
  if (match === null) return undefined;
  const [, namespace = "", name = "", path = "/", query = ""] = match;
  return { namespace, name, target: `${path}${query}` };
}

function noSuchMock(target: string): Response {
  const path = target.split("?")[0];
  return problem(
    makeProblem(
      "no-such-mock",
      `${path} is not below /NAMESPACE/NAME/ of a mock; / lists them all`,
    ),
  );
}

function notServing(key: Key, why: string | undefined): Response {
  if (why === undefined) {
    return problem(
      makeProblem("no-such-mock", `there is no APIMock ${keyText(key)}; / lists them all`),
    );
  }
  return problem(makeProblem("mock-not-serving", `APIMock ${keyText(key)} does not serve: ${why}`));
}

function problem(problem: Problem): Response {
  return new Response(problemText(problem), {
    status: problem.status,
    headers: { "Content-Type": problemType, "Access-Control-Allow-Origin": "*" },
  });
}
