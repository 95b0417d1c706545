import type { APIMock } from "../../lib/apimock.ts";
import type { ObjectMeta } from "../../lib/cluster/cluster.ts";
import type { FindingCounts } from "../../lib/compiled/compiled.ts";
import type { Compilation, Compiler } from "../../lib/compiler/compilation.ts";
import type { Finding } from "../../lib/finding.ts";
import { sha256 } from "../../lib/hash.ts";
import { annotations, hashOfConfigMap } from "../../lib/names.ts";
import type { Judgement } from "./conditions.ts";
import { conditionOf, messageOf } from "./conditions.ts";
import { type Definition, infoOf } from "./configmap.ts";
import type { Text } from "./text.ts";

/** The judgement on the text of a spec, and what came of it. */
export interface Verdict {
  readonly validated: Judgement;
  readonly findings: readonly Finding[];
  /** What `status.source` remembers; absent where the same text must be judged again. */
  readonly source?: string;
  /** The compiled definition's hash, where the text is valid; absent where nobody asked for it. */
  readonly hash?: string;
  /** The compiled definition, where it was compiled just now. */
  readonly definition?: Definition;
}

/** What is judged. `ours` are the mock's own ConfigMaps; `wanted` says that the text is to be served if it is valid. */
export interface Case {
  readonly text: Text;
  readonly mock: APIMock;
  readonly ours: readonly ObjectMeta[];
  readonly wanted: boolean;
}

/**
 * Answers the verdict on the text. Compiles only where neither the status remembers the judgement, nor (where it is wanted) a ConfigMap holds what
 * it led to. Rejects only where no compiler can be started.
 */
export async function verdictOn(judged: Case, compiler: Compiler): Promise<Verdict> {
  const { text, mock } = judged;
  if (text.kind === "unreadable")
    return { validated: refusal(text.findings, countsOf(text.findings)), findings: text.findings };
  // The same text is told about in other words where it is shared, so it is remembered apart.
  const whose = text.shared === undefined ? "" : " shared";
  const source = sha256(`${compiler.version}${whose}\n${text.text}`);
  const remembered = mock.status?.source === source ? rememberedIn(mock) : undefined;
  if (remembered?.validated.status === "False") return { ...remembered, source };
  const hash = compiledFrom(source, judged);
  if (remembered !== undefined && hash !== undefined) return { ...remembered, source, hash };
  if (remembered !== undefined && !judged.wanted) return { ...remembered, source };
  const verdict = verdictOf(await compiler.compile(text.text), source);
  return text.shared === undefined
    ? verdict
    : { ...verdict, findings: verdict.findings.map(withoutValues) };
}

/** What is in a ConfigMap may be nothing that the mock's author may read, until it has proved to be a definition: places are told, values are not. */
function withoutValues(finding: Finding): Finding {
  const { code, line, column } = finding;
  const message = `${code} at line ${line}, column ${column} of the shared text, which is not quoted here`;
  return { ...finding, message };
}

function verdictOf(compilation: Compilation, source: string): Verdict {
  if (compilation.kind === "timeout") {
    const message = messageOf(compilation.message);
    return { validated: { status: "False", reason: "CompileTimeout", message }, findings: [] };
  }
  const { findings, counts } = compilation;
  if (compilation.kind === "refused")
    return { validated: refusal(findings, counts), findings, source };
  const { hash, info, packed } = compilation;
  const message = summaryOf(counts) || "no findings";
  return {
    validated: { status: "True", reason: "Valid", message },
    findings,
    source,
    hash,
    definition: { hash, source, info, packed },
  };
}

/** Answers what the status says of the text that it names as its source, or undefined where it says too little. */
function rememberedIn({ status }: APIMock): Verdict | undefined {
  const condition = conditionOf(status?.conditions, "Validated");
  if (condition === undefined) return undefined;
  const { status: answer, reason, message } = condition;
  const findings = status?.findings ?? [];
  if (answer === "True")
    return { validated: { status: answer, reason: "Valid", message }, findings };
  if (reason !== "DefinitionRefused") return undefined;
  return { validated: { status: "False", reason, message }, findings };
}

function compiledFrom(source: string, { mock, ours }: Case): string | undefined {
  // One that somebody took annotations off is made whole by compiling again.
  const found = ours.find(
    (configMap) =>
      configMap.annotations?.[annotations.source] === source && infoOf(configMap) !== undefined,
  );
  return found && hashOfConfigMap(mock.metadata.name, found.name);
}

function refusal(findings: readonly Finding[], counts: FindingCounts): Judgement {
  const first = findings.find(({ severity }) => severity === "error");
  const errors = countText(counts.error, "error");
  const at = counts.error > 1 ? `${errors}, the first` : errors;
  const where =
    first === undefined || first.line === 0
      ? (first?.message ?? "")
      : `line ${first.line}, column ${first.column}`;
  const rest = summaryOf(counts);
  const message = messageOf(`${at}: ${where}${rest === "" ? "" : `; ${rest}`}`);
  return { status: "False", reason: "DefinitionRefused", message };
}

function countsOf(findings: readonly Finding[]): FindingCounts {
  return { error: findings.length, warning: 0, hint: 0 };
}

function summaryOf({ warning, hint }: FindingCounts): string {
  const counts = [
    ...(warning > 0 ? [countText(warning, "warning")] : []),
    ...(hint > 0 ? [countText(hint, "hint")] : []),
  ];
  return counts.join(", ");
}

function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
