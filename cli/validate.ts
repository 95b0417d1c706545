import type { Command, Context, Given } from "./command.ts";
import { UsageError, choiceOption } from "./command.ts";
import { documentsOf, readText } from "./document.ts";
import type { FileFinding } from "./findings.ts";
import { compileDocument, countText, findingLine } from "./findings.ts";
import { readManifests } from "./manifest.ts";

/** `apirator validate`: says what is wrong with OpenAPI documents and APIMocks. */
export const validate: Command = {
  help: `apirator validate FILE… [--format text|json]

Says what is wrong with OpenAPI documents, or with the definitions of APIMocks: one finding a line, as file:line:column: severity code: message.
Codes are explained in docs/errors.md. - reads standard input.

  --format json   one JSON list of {file, line, column, severity, code, message, pointer}

Exit code 1 where there is an error; warnings and hints are none.`,
  options: { format: { type: "string" } },
  run,
};

async function run(given: Given, context: Context): Promise<number> {
  const { terminal } = context;
  const format = choiceOption(given, "format", ["text", "json"]);
  const names = given.positionals;
  if (names.length === 0) throw new UsageError("name the files to validate; - is standard input");
  const findings: FileFinding[] = [];
  for (const [index, name] of names.entries()) {
    terminal.progress(`validating ${name} (${index + 1} of ${names.length})`);
    const found = await fileFindings(name, await readText(name, context));
    terminal.progress("");
    findings.push(...found);
    if (format === "json") continue;
    for (const finding of found) terminal.out(findingLine(finding, terminal));
    if (found.length === 0) terminal.out(`${name}: nothing wrong`);
  }
  if (format === "json") terminal.out(JSON.stringify(findings, undefined, 2));
  else if (findings.length > 0) terminal.out(countText(findings));
  return findings.some(({ severity }) => severity === "error") ? 1 : 0;
}

async function fileFindings(name: string, text: string): Promise<FileFinding[]> {
  const file = name === "-" ? "stdin" : name;
  const { manifests, problems } = readManifests(text, file);
  const hasMocks = manifests.length > 0;
  const compiled = await Promise.all(
    documentsOf(text, manifests).map((document) => compileDocument(document, file)),
  );
  // Where no object could be read, the compiler has said it of the text as a document.
  const unread = hasMocks
    ? problems.map(({ line, column, message }): FileFinding => ({
        file,
        severity: "error",
        code: "invalid-document",
        message,
        line,
        column,
        pointer: "",
      }))
    : [];
  return [...unread, ...compiled.flatMap(({ findings }) => findings)];
}
