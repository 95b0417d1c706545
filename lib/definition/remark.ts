import type { FindingCode, Severity } from "../finding.ts";

/** A place in the text that the user wrote, counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A finding before its place in the text is known. `severity` only where it is not the catalogue's. */
export interface Remark {
  readonly code: FindingCode;
  /** JSON Pointer of what it is about; its place in the text is found from it. */
  readonly pointer: string;
  readonly message: string;
  readonly severity?: Severity;
  /** Where the pointer does not say it. */
  readonly place?: Place;
}
