import type { Violation } from "./compiled/compiled.ts";

/** Every error answer there is, with its status and title. Cause and remedy of each are in `docs/errors.md`. */
export const problems = {
  "not-a-cloudevent": { status: 400, title: "The request is no CloudEvent" },
  "malformed-target": { status: 400, title: "The request target cannot be read" },
  "malformed-body": { status: 400, title: "The body cannot be read" },
  unauthorized: { status: 401, title: "Credentials are missing" },
  "no-such-mock": { status: 404, title: "No mock is served there" },
  "no-such-path": { status: 404, title: "No path of the definition matches" },
  "no-such-response": { status: 404, title: "The operation has no such response" },
  "no-such-example": { status: 404, title: "The response has no such example" },
  "no-such-method": { status: 405, title: "The path has no such method" },
  "not-acceptable": { status: 406, title: "No media type of the response is acceptable" },
  "body-too-large": { status: 413, title: "The body is too large" },
  "unsupported-media-type": { status: 415, title: "The operation takes no such media type" },
  "unsupported-encoding": { status: 415, title: "The content encoding is not known" },
  "invalid-request": { status: 422, title: "The request does not fit the definition" },
  "malformed-preference": { status: 422, title: "A preference cannot be read" },
  "too-complex": { status: 422, title: "Validating the request takes too many steps" },
  internal: { status: 500, title: "The mock made a mistake" },
  "cannot-generate": { status: 500, title: "No value satisfies the schema of the response" },
  "method-not-implemented": { status: 501, title: "The method is not implemented" },
  "no-final-response": { status: 501, title: "The operation declares no final response" },
  "mock-not-serving": { status: 503, title: "The mock does not serve" },
} as const satisfies Readonly<Record<string, { status: number; title: string }>>;

/** Names an error answer: a key of the catalogue. */
export type ProblemCode = keyof typeof problems;

/** An error answer (RFC 9457, `application/problem+json`). */
export interface Problem {
  readonly code: ProblemCode;
  readonly status: number;
  readonly title: string;
  /** What was sent, what was expected, where: one line. */
  readonly detail: string;
  /** The path asked for, without its query: keys would leak. */
  readonly instance?: string;
  readonly violations?: readonly Violation[];
  readonly truncated?: true;
}

/** Media type of a problem. */
export const problemType = "application/problem+json";

/** Answers the problem of a code; status and title come from the catalogue. */
export function makeProblem(
  code: ProblemCode,
  detail: string,
  more: Pick<Problem, "instance" | "violations" | "truncated"> = {},
): Problem {
  return { code, ...problems[code], detail, ...more };
}

/** Answers the JSON text of a problem, members in RFC 9457's order, `type` made from the code. */
export function problemText(problem: Problem): string {
  const { code, status, title, detail, instance, violations, truncated } = problem;
  return JSON.stringify({
    type: `https://apirator.io/problems/${code}`,
    title,
    status,
    detail,
    instance,
    violations,
    truncated,
  });
}
