import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { Command, Context, Given } from "./command.ts";
import { CommandError, UsageError, choiceOption } from "./command.ts";
import { documentsOf, nameOf, readText } from "./document.ts";
import { files } from "./files.ts";
import type { FileFinding } from "./findings.ts";
import { compileDocument, countText, findingLine } from "./findings.ts";
import type { FolderFile } from "./folder.ts";
import { readManifests } from "./manifest.ts";

/** `apirator validate`: says what is wrong with OpenAPI documents and APIMocks. */
export const validate: Command = {
  help: `apirator validate FILE… [--format text|json]

Says what is wrong with OpenAPI documents, or with APIMocks and their definitions: one finding a line, as file:line:column: severity code: message.
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
    const found = await fileFindings(name, context);
    terminal.progress("");
    findings.push(...found);
    if (format === "json") continue;
    for (const finding of found) terminal.out(findingLine(finding, terminal));
    if (found.length === 0) terminal.out(`${nameOf(name)}: nothing wrong`);
  }
  if (format === "json") terminal.out(JSON.stringify(findings, undefined, 2));
  else if (findings.length > 0) terminal.out(countText(findings));
  return findings.some(({ severity }) => severity === "error") ? 1 : 0;
}

async function fileFindings(name: string, context: Context): Promise<FileFinding[]> {
  const file = nameOf(name);
  const text = await readText(name, context).catch((error: unknown) => {
    if (error instanceof CommandError) return error;
    throw error;
  });
  if (text instanceof CommandError) {
    const { message } = text;
    const place = { line: 0, column: 0, pointer: "" };
    return [{ file, severity: "error", code: "unreadable-file", message, ...place }];
  }
  const contents = readManifests(text, file);
  const { manifests, problems } = contents;
  // What is no object at all is judged as the OpenAPI document that it may be meant as.
  const isObjects = manifests.length > 0 || problems.some(({ isText }) => isText !== true);
  const refused = isObjects ? await refusedObjects({ file, ...contents }) : [];
  const documents = isObjects && manifests.length === 0 ? [] : documentsOf(text, manifests);
  const compiled = await Promise.all(documents.map((document) => compileDocument(document, file)));
  return [...refused, ...compiled.flatMap(({ findings }) => findings)];
}

/** Answers what a cluster would refuse: the objects are applied to one in memory. */
async function refusedObjects(file: FolderFile): Promise<FileFinding[]> {
  const [{ createMemoryCluster }, { createUpkeep }] = await Promise.all([
    import("../lib/embedded/memory.ts"),
    import("./upkeep.ts"),
  ]);
  let uids = 0;
  const memory = createMemoryCluster({
    crds: [parse(readFileSync(files.crd, "utf8")) as unknown],
    now: () => new Date(),
    uid: () => String((uids += 1)),
  });
  const complaints = await createUpkeep(memory.as("kubectl")).update([file]);
  return complaints.map((complaint) => ({
    ...complaint,
    severity: "error",
    code: "invalid-object",
    pointer: "",
  }));
}
