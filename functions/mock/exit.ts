import type { Problem, ProblemCode } from "../../lib/problem.ts";
import { makeProblem, problemText, problemType } from "../../lib/problem.ts";
import type { Answer, Fields } from "./exchange.ts";
import type { Exit } from "./route.ts";

/** Answers a problem as an answer. `headers` come with it: challenges, `Allow`. */
export function problemAnswer(problem: Problem, headers: Fields = []): Answer {
  return {
    status: problem.status,
    headers: [["Content-Type", problemType], ...headers],
    body: problemText(problem),
  };
}

/** Answers a request that leads to no operation. `OPTIONS` of a path that has none is told what the path has. */
export function exitAnswer(method: string, exit: Exit): Answer {
  if (!("target" in exit)) {
    return exit.kind === "connect"
      ? refuse("method-not-implemented", "CONNECT is for proxies; send another method")
      : refuse("malformed-target", "The target is no path; send one that begins with a slash, or a whole URL"); // oxfmt-ignore
  }
  const { path } = exit.target;
  if (!("allow" in exit)) {
    return exit.kind === "no-such-path"
      ? refuse("no-such-path", `The definition has no path for ${path}; /__apirator/docs lists them`, path) // oxfmt-ignore
      : refuse("malformed-target", `${path} has an escape that is not UTF-8; write a percent sign as %25`, path); // oxfmt-ignore
  }
  const allow: Fields = exit.allow === "" ? [] : [["Allow", exit.allow]];
  if (exit.kind === "options") return { status: 204, headers: allow, body: null };
  const problem = makeProblem("no-such-method", `${path} has no ${method}; it has ${exit.allow}`, { instance: path }); // oxfmt-ignore
  return problemAnswer(problem, allow);
}

/** Answers a fault of our own. The log has the same id and what happened; the client gets no more than that. */
export function internalFault(id: string): Answer {
  return refuse(
    "internal",
    `The fault is the mock's, not the request's; its log has more at ${id}`,
  );
}

function refuse(code: ProblemCode, detail: string, instance?: string): Answer {
  return problemAnswer(makeProblem(code, detail, instance === undefined ? {} : { instance }));
}

/** Answers whether a step ended with a problem. */
export function isProblem(result: object | undefined): result is Problem {
  return result !== undefined && "detail" in result;
}
