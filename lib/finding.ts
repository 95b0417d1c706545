/** How much a finding weighs: an error refuses the definition, a warning changes an answer, a hint is advice. */
export type Severity = "error" | "warning" | "hint";

/** Every code of a finding with its usual severity. Each is explained in `docs/errors.md`. */
export const findingCodes = {
  "alias-cycle": "error",
  "array-without-items": "warning",
  "body-ignored": "hint",
  "callbacks-not-sent": "hint",
  "circular-ref": "error",
  "compiled-too-large": "error",
  "compiler-fault": "error",
  "configmap-not-found": "error",
  "duplicate-key": "error",
  "duplicate-operation-id": "warning",
  "duplicate-parameter": "error",
  "duplicate-path": "error",
  "empty-document": "error",
  "example-impossible": "warning",
  "example-invalid": "warning",
  "example-not-made": "hint",
  "example-unfit": "warning",
  "external-example": "hint",
  "external-ref": "error",
  "file-without-multipart": "warning",
  "header-value": "warning",
  "invalid-document": "error",
  "invalid-keyword": "error",
  "invalid-media-type": "error",
  "invalid-name": "warning",
  "invalid-object": "error",
  "invalid-parameter": "error",
  "invalid-path": "error",
  "invalid-pattern": "error",
  "invalid-schema": "error",
  "invalid-security-scheme": "error",
  "invalid-status": "error",
  "invalid-text": "error",
  "key-not-found": "error",
  "no-final-response": "warning",
  "no-operations": "warning",
  "no-responses": "warning",
  "not-a-mapping": "error",
  "not-shared": "error",
  "not-utf8": "error",
  "nullable-ignored": "warning",
  "optional-path-parameter": "warning",
  "parser-skipped": "hint",
  "pattern-not-unicode": "hint",
  "ref-siblings-ignored": "hint",
  "rounded-number": "warning",
  "several-documents": "error",
  "too-deep": "error",
  "too-large": "error",
  "too-much-memory": "error",
  "undeclared-path-parameter": "error",
  "undeclared-server-variable": "warning",
  "unknown-security-scheme": "warning",
  "unknown-version": "error",
  "unreadable-file": "error",
  "unreadable-gzip": "error",
  "unreachable-path": "warning",
  "unresolved-mapping": "warning",
  "unresolved-ref": "error",
  "unsupported-version": "error",
  "unused-path-parameter": "error",
} as const satisfies Record<string, Severity>;

/** Name of a kind of finding. */
export type FindingCode = keyof typeof findingCodes;

/**
 * Something wrong in a definition, with its place in the text that the user wrote.
 * `line` and `column` count from 1, 0 where the place is unknown; `pointer` is a JSON Pointer (RFC 6901) into the document.
 */
export interface Finding {
  readonly severity: Severity;
  readonly code: FindingCode;
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
