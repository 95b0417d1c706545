import type { CompiledInfo, FindingCounts } from "../compiled/compiled.ts";
import type { Finding } from "../finding.ts";

/** What compiling a text ended with. Findings are sorted and at most 20; `counts` counts all. Plain data: it crosses a process. */
export type Compilation =
  | {
      readonly kind: "compiled";
      /** First 10 hex digits of the SHA-256 of the canonical JSON with the format's version. */
      readonly hash: string;
      /** The compiled definition, gzipped. */
      readonly packed: Uint8Array;
      readonly info: CompiledInfo;
      readonly findings: readonly Finding[];
      readonly counts: FindingCounts;
    }
  | {
      readonly kind: "refused";
      readonly findings: readonly Finding[];
      readonly counts: FindingCounts;
    }
  /** A limit of the compiler process was hit: time is tried again by the resync, memory is the document's fault (a finding says so). */
  | { readonly kind: "timeout"; readonly message: string };

/** The port to the compiler. It never throws for a bad text; it rejects only where no process can be started. */
export interface Compiler {
  /** Changes whenever the same text may compile to something else; part of `status.source` and `status.build`. */
  readonly version: string;
  compile(text: string): Promise<Compilation>;
  /** Ends the process, if one runs. */
  close(): Promise<void>;
}
