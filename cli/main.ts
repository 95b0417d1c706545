import { readFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import type { Command, Context } from "./command.ts";
import { UsageError } from "./command.ts";
import { files } from "./files.ts";
import { createTerminal } from "./terminal.ts";

/** Loaded when asked for: `apirator validate` need not wait for a server. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  dev: async () => (await import("./dev.ts")).dev,
  mock: async () => (await import("./mock.ts")).mock,
  validate: async () => (await import("./validate.ts")).validate,
  compile: async () => (await import("./compile.ts")).compile,
  render: async () => (await import("./render.ts")).render,
  replay: async () => (await import("./replay.ts")).replay,
};

const help = `apirator COMMAND

Mocks of OpenAPI documents, on this machine or in a cluster.

  mock FILE       serve the mock of one document
  dev [DIR]       run the whole operator here, on the mocks of a folder
  validate FILE…  say what is wrong with documents
  compile FILE    write the compiled definition that a mock process loads
  render FILE     print what the operator would apply to a cluster
  replay FILE…    send recorded events through the operator, and show what it does

Options
  -h, --help     this, or with a command what it takes
  -v, --version  the version

Exit codes: 0 all well, 1 something is wrong with what was given, 2 the command line is wrong.
FILE is an OpenAPI document, YAML or JSON, or an APIMock; - is standard input.`;

const common = { help: { type: "boolean", short: "h" } } as const;

/** Answers the exit code of a command line. */
async function run(args: readonly string[], context: Context): Promise<number> {
  const [name = "", ...rest] = args;
  if (["help", "-h", "--help"].includes(name)) {
    context.terminal.out(help);
    return 0;
  }
  if (["-v", "--version"].includes(name)) {
    context.terminal.out(version());
    return 0;
  }
  if (name === "") {
    context.terminal.err(help);
    return 2;
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined)
    throw new UsageError(`there is no command ${name}; apirator --help lists them`);
  const command = await load();
  const { values, positionals } = parsed(command, name, rest);
  if (values["help"] === true) {
    context.terminal.out(command.help);
    return 0;
  }
  return command.run({ values, positionals }, context);
}

function parsed(command: Command, name: string, args: readonly string[]) {
  try {
    const options = { ...command.options, ...common };
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    return { values: values as Record<string, string | boolean | undefined>, positionals };
  } catch (error) {
    const [message = ""] = (error as Error).message.split(/\. |\n/);
    throw new UsageError(`${message}; apirator ${name} --help lists the options`);
  }
}

function version(): string {
  return (JSON.parse(readFileSync(files.package, "utf8")) as { version: string }).version;
}

function contextOf(signal: AbortSignal): Context {
  return {
    terminal: createTerminal({ out: process.stdout, err: process.stderr }, process.env),
    signal,
    environment: process.env,
    stdin: () => text(process.stdin),
    ask: async (question) => {
      if (!process.stdin.isTTY) return false;
      const lines = createInterface({ input: process.stdin, output: process.stderr });
      const answer = await lines.question(`${question} [y/N] `, { signal }).catch(() => "");
      lines.close();
      return /^y(es)?$/i.test(answer.trim());
    },
  };
}

// Commands are loaded after this: the second start takes half the time.
enableCompileCache();

const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
// A reader that has seen enough (`| head`) is no fault.
process.stdout.on("error", () => process.exit(0));

async function main(context: Context): Promise<void> {
  try {
    process.exitCode = await run(process.argv.slice(2), context);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    context.terminal.err(`apirator: ${message.replaceAll(/\s*\n\s*/g, " ")}`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

void main(contextOf(stop.signal));
