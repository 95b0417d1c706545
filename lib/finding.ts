/** How much a finding weighs: an error refuses the definition, a warning changes an answer, a hint is advice. */
export type Severity = "error" | "warning" | "hint";

/**
 * Something wrong in a definition, with its place in the text that the user wrote.
 * `line` and `column` count from 1, 0 where the place is unknown; `pointer` is a JSON Pointer (RFC 6901) into the document.
 * Every `code` is explained in `docs/errors.md`.
 */
export interface Finding {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly pointer: string;
}

const weight: Record<Severity, number> = { error: 0, warning: 1, hint: 2 };

/** Answers the findings as they are shown: errors first, then by place. Never changes the list it was given. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  return findings.toSorted(
    (a, b) =>
      weight[a.severity] - weight[b.severity] ||
      a.line - b.line ||
      a.column - b.column ||
      (a.pointer < b.pointer ? -1 : Number(a.pointer > b.pointer)),
  );
}
