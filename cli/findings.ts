import type { Compilation } from "../lib/compiler/compilation.ts";
import type { Finding, Severity } from "../lib/finding.ts";
import type { OpenApiDocument } from "./document.ts";
import type { Style, Terminal } from "./terminal.ts";

/** A finding as the command line prints it: `line` and `column` are the file's where they are known, else the definition's. */
export interface FileFinding extends Finding {
  readonly file: string;
}

/** Answers what a document compiles to, in this process, and all of its findings, placed in the file. */
export async function compileDocument(
  document: OpenApiDocument,
  file: string,
): Promise<{ compilation: Compilation; findings: FileFinding[] }> {
  const { text } = document;
  // Understanding OpenAPI is most of what there is to load: `--help` need not wait for it.
  const { compileText } = await import("../lib/compiler/compile-text.ts");
  const compilation = await compileText(text);
  const found = compilation.kind === "timeout" ? [] : compilation.findings;
  const isCut = compilation.kind !== "timeout" && sum(compilation.counts) > found.length;
  // A status holds few findings; who asks for them here wants them all.
  const all = isCut ? await allFindings(text) : found;
  return {
    compilation,
    findings: all.map((finding) => ({ ...placed(finding, document), file })),
  };
}

/** A finding whose place is not the file's is at the text's, and says where in the text. */
function placed(finding: Finding, { at, placeInFile }: OpenApiDocument): Finding {
  const { line, column, message } = finding;
  if (line === 0) return { ...finding, ...at };
  const place = placeInFile(finding);
  if (place !== undefined) return { ...finding, ...place };
  const inside = `line ${line}, column ${column} of the definition`;
  return { ...finding, ...at, message: `${message} (${inside})` };
}

async function allFindings(text: string): Promise<readonly Finding[]> {
  const { compileDefinition } = await import("../lib/definition/compile.ts");
  return (await compileDefinition(text, { now: () => performance.now() })).findings;
}

/** Answers a finding on one line: `file:line:column: severity code: message`, as editors and CI understand it. */
export function findingLine(
  { file, line, column, severity, code, message }: FileFinding,
  terminal: Terminal,
): string {
  const place = line === 0 ? file : `${file}:${line}:${column}`;
  return `${place}: ${terminal.paint(styles[severity], severity)} ${code}: ${message}`;
}

const styles: Readonly<Record<Severity, Style>> = { error: "red", warning: "yellow", hint: "dim" };

/** Answers how many findings there are in words: `1 error, 2 warnings`. */
export function countText(findings: readonly Finding[]): string {
  const parts = (["error", "warning", "hint"] as const).flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}${count === 1 ? "" : "s"}`];
  });
  return parts.length === 0 ? "nothing wrong" : parts.join(", ");
}

function sum(counts: Readonly<Record<Severity, number>>): number {
  return counts.error + counts.warning + counts.hint;
}
