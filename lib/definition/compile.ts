import type { Compiled } from "../compiled/compiled.ts";
import { findingCodes, sortFindings } from "../finding.ts";
import type { Finding } from "../finding.ts";
import { checkStructure } from "./check.ts";
import type { Definition } from "./definition.ts";
import { checkExamples } from "./example-check.ts";
import { makeExamples } from "./examples.ts";
import { normalise } from "./normalise.ts";
import { parseText } from "./parse.ts";
import { referencesOf } from "./references.ts";
import type { Place, Remark } from "./remark.ts";
import { brokenRules } from "./rules.ts";
import { versionOf } from "./version.ts";

/** What compiling a text ended with: no `compiled` where a finding is an error. Findings are sorted; their number is not bounded. */
export interface CompiledDefinition {
  readonly compiled?: Compiled;
  readonly findings: readonly Finding[];
}

/** Milliseconds of `now` after which no more bodies are made: the compiler's process ends at 5 s of CPU time. */
const allMs = 3500;

/**
 * Compiles an OpenAPI text (2.0, 3.0, 3.1; JSON or YAML) into what a mock loads. `now` tells milliseconds of CPU time or of a clock: it bounds how
 * long response bodies are made, nothing else. Never throws for a text, never fetches, and answers the same for the same text (but for that bound).
 */
export async function compileDefinition(
  text: string,
  { now }: { readonly now: () => number },
): Promise<CompiledDefinition> {
  const until = now() + allMs;

  // 1. The text as values, with the place of each.
  const parsed = parseText(text);
  if ("remarks" in parsed) return refused(parsed.remarks);
  const { source } = parsed;
  const remarks: Remark[] = [...source.remarks];
  const report = (remark: Remark): void => void remarks.push(remark);
  const failed = (): boolean => remarks.some((remark) => severityOf(remark) === "error");

  // 2. Which OpenAPI it is.
  const known = versionOf(source.root);
  if ("remark" in known) return refused([known.remark], source.place);
  const definition: Definition = {
    ...known,
    source,
    root: source.root,
    references: referencesOf(source.root),
  };

  // 3. Our own rules, which know places and references; then the parser's, which know the standard's schemas.
  const rules = brokenRules(definition);
  rules.forEach(report);
  const told = new Set(
    rules.filter((rule) => severityOf(rule) === "error").map(({ pointer }) => pointer),
  );
  const structure = await checkStructure(definition);
  structure.filter(({ pointer }) => !told.has(pointer)).forEach(report);
  if (failed()) return refused(remarks, source.place);

  // 4. One model for all versions.
  const compiled = normalise(definition, text, report);
  if (failed()) return refused(remarks, source.place);

  // 5. The bodies that nobody wrote, and a look at those that somebody did.
  const complete = makeExamples(compiled, { report, now, until });
  checkExamples(compiled, { report, now, until });
  return { compiled: complete, findings: findingsOf(remarks, source.place) };
}

function refused(
  remarks: readonly Remark[],
  place?: (pointer: string) => Place,
): CompiledDefinition {
  return { findings: findingsOf(remarks, place) };
}

function findingsOf(remarks: readonly Remark[], place?: (pointer: string) => Place): Finding[] {
  const unique = new Map<string, Finding>();
  for (const remark of remarks) {
    const { code, pointer } = remark;
    const message = remark.message.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ");
    const { line, column } = remark.place ?? place?.(pointer) ?? { line: 0, column: 0 };
    unique.set(`${code} ${pointer} ${message}`, {
      severity: severityOf(remark),
      code,
      message,
      line,
      column,
      pointer,
    });
  }
  return sortFindings([...unique.values()]);
}

function severityOf(remark: Remark): Finding["severity"] {
  return remark.severity ?? findingCodes[remark.code];
}
