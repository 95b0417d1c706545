import { writeFile } from "node:fs/promises";
import type { Command, Context, Given } from "./command.ts";
import { CommandError, UsageError, textOption } from "./command.ts";
import { nameOf, onlyDocument, readText } from "./document.ts";
import { compileDocument, countText, findingLine } from "./findings.ts";

/** `apirator compile`: makes the file that a mock process loads. */
export const compile: Command = {
  help: `apirator compile FILE -o OUT

Compiles an OpenAPI document (or the definition of an APIMock) into the file that a mock process loads as DEFINITION: gzipped JSON, the same
bytes that the operator puts into a ConfigMap. - reads standard input. What is wrong is said on standard error.

  -o, --output OUT   where to write it

Exit code 1 where the document is refused; OUT is then left as it was.`,
  options: { output: { type: "string", short: "o" } },
  run,
};

async function run(given: Given, context: Context): Promise<number> {
  const { terminal } = context;
  const [file, ...more] = given.positionals;
  const out = textOption(given, "output");
  if (file === undefined || more.length > 0) throw new UsageError("name one file to compile");
  if (out === undefined) throw new UsageError("say where to write it: -o OUT");
  if (out === "-") throw new UsageError("-o - is no file; for standard output give -o /dev/stdout");
  const name = nameOf(file);
  const document = onlyDocument(await readText(file, context), name);
  const { compilation, findings } = await compileDocument(document, name);
  for (const finding of findings) terminal.err(findingLine(finding, terminal));
  if (compilation.kind !== "compiled") {
    terminal.err(`${name} is refused: ${countText(findings)}`);
    return 1;
  }
  await writeFile(out, compilation.packed).catch((error: Error) => {
    throw new CommandError(`${out} cannot be written: ${error.message}`);
  });
  const { operations } = compilation.info;
  terminal.out(
    `${out}: ${compilation.hash}, ${operations} operation${operations === 1 ? "" : "s"}`,
  );
  return 0;
}
