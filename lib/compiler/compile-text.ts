import type { FindingCounts } from "../compiled/compiled.ts";
import { findingLimit, packedLimit } from "../compiled/limits.ts";
import { info, pack } from "../compiled/pack.ts";
import { compileDefinition } from "../definition/compile.ts";
import { sortFindings } from "../finding.ts";
import type { Finding } from "../finding.ts";
import type { Compilation } from "./compilation.ts";

/** Answers what the text compiles to, in this process and without its limits. Never throws for a text: a fault of ours is a finding too. */
export async function compileText(text: string): Promise<Compilation> {
  try {
    const { compiled, findings } = await compileDefinition(text, { now: cpuMilliseconds });
    if (compiled === undefined) return refused(findings);
    const { hash, packed } = pack(compiled);
    if (packed.byteLength > packedLimit) return refused([...findings, tooLarge(packed.byteLength)]);
    return { kind: "compiled", hash, packed, info: info(compiled), ...cut(findings) };
  } catch (error) {
    return refused([faultOf(error)]);
  }
}

/** Answers a refusal: findings sorted, at most 20, all of them counted. */
function refused(findings: readonly Finding[]): Compilation {
  return { kind: "refused", ...cut(sortFindings(findings)) };
}

function cut(findings: readonly Finding[]): {
  readonly findings: readonly Finding[];
  readonly counts: FindingCounts;
} {
  const counts = { error: 0, warning: 0, hint: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return { findings: findings.slice(0, findingLimit), counts };
}

function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function tooLarge(bytes: number): Finding {
  const kibibytes = Math.ceil(bytes / 1024);
  const message = `${kibibytes} KiB when compiled and gzipped, but a ConfigMap holds 1 MiB; shorten examples and descriptions, or split the API into several mocks`;
  return {
    severity: "error",
    code: "compiled-too-large",
    message,
    line: 0,
    column: 0,
    pointer: "",
  };
}

function faultOf(error: unknown): Finding {
  const place = { severity: "error", line: 0, column: 0, pointer: "" } as const;
  if (error instanceof RangeError)
    return { ...place, code: "too-deep", message: "too deeply nested to be understood" };
  const reason = (error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "";
  return {
    ...place,
    code: "compiler-fault",
    message: `the compiler failed: ${reason.slice(0, 200)}; please report it`,
  };
}
