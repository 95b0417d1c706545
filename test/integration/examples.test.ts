import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { dev } from "../../cli/dev.ts";
import { startCommand } from "../support/command.ts";

const shell = promisify(execFile);

/** The commands of a page with what they print: `$ …` in a console block, and the lines up to the next. */
function commandsOf(file: string): { command: string; prints: string }[] {
  const blocks = [...readFileSync(file, "utf8").matchAll(/^```console\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, block = ""]) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((text) => {
        const end = text.indexOf("\n");
        return { command: text.slice(0, end), prints: text.slice(end + 1).trimEnd() };
      }),
  );
}

test("every line of examples/README.md answers what the page says", async () => {
  const commands = commandsOf("examples/README.md");
  expect(commands.length).toBeGreaterThan(15);
  const { base } = await startCommand(dev, "examples");
  const printed: string[] = [];
  for (const { command } of commands) {
    const line = command.replaceAll("http://localhost:8080", base);
    const { stdout } = await shell("bash", ["-c", line]);
    printed.push(`$ ${command}\n${stdout.trimEnd()}`);
  }
  expect(printed).toEqual(commands.map(({ command, prints }) => `$ ${command}\n${prints}`));
});
