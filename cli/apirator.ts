import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Command, Context } from "./command.ts";
import { UsageError } from "./command.ts";
import { files } from "./files.ts";

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

/**
 * Does what a command line says, and answers its exit code: 0 all well, 1 something is wrong with what was given, 2 the command line is
 * wrong. What goes wrong is said on one line; never rejects.
 */
export async function apirator(args: readonly string[], context: Context): Promise<number> {
  try {
    return await run(args, context);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    context.terminal.err(`apirator: ${message.replaceAll(/\s*\n\s*/g, " ")}`);
    return error instanceof UsageError ? 2 : 1;
  }
}

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
