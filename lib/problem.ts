import type { Violation } from "./compiled/compiled.ts";

/** An error answer (RFC 9457, `application/problem+json`). Every code is explained in `docs/errors.md`. */
export interface Problem {
  readonly code: string;
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
