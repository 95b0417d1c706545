import type { MockSettings } from "../functions/mock/settings.ts";
import { defaultSettings } from "../functions/mock/settings.ts";
import type { KubeObject } from "../lib/cluster/cluster.ts";
import { serve } from "../lib/serve.ts";
import type { Command, Context, Given } from "./command.ts";
import {
  aborted,
  choiceOption,
  CommandError,
  portOption,
  textOption,
  UsageError,
} from "./command.ts";
import { curlLine } from "./curl.ts";
import { nameOf, onlyDocument, readText } from "./document.ts";
import { watchFolder } from "./folder.ts";
import type { Compiled } from "../lib/compiled/compiled.ts";

/** Milliseconds that open requests get to finish at the end. */
const patience = 500;

/** `apirator mock`: serves the mock of one document. */
export const mock: Command = {
  help: `apirator mock FILE [--port N] [--host HOST] [--watch] [--validate MODE] [--dynamic] [--seed TEXT] [--no-cors]

Serves the mock of an OpenAPI document, or an APIMock with its own settings, and prints a request that works for each of its operations.
/__apirator/docs shows and tries the API. - reads standard input. Ctrl-C stops.

  --port N          where to listen (8080; 0 takes a free port)
  --host HOST       address to listen on (127.0.0.1; 0.0.0.0 lets others in)
  --watch           follow the file; a bad edit keeps the old answers
  --validate MODE   enforce (default) refuses requests that do not fit, warn answers and says so in a header, off does not look
  --dynamic         make bodies from schemas anew for each request, instead of examples
  --seed TEXT       the same text, the same made bodies
  --no-cors         leave Cross-Origin Resource Sharing to the document`,
  options: {
    port: { type: "string" },
    host: { type: "string" },
    watch: { type: "boolean" },
    validate: { type: "string" },
    dynamic: { type: "boolean" },
    seed: { type: "string" },
    "no-cors": { type: "boolean" },
  },
  run,
};

async function run(given: Given, context: Context): Promise<number> {
  const { terminal, signal } = context;
  const [file, ...more] = given.positionals;
  if (file === undefined || more.length > 0) throw new UsageError("name one file to serve");
  const listen = { port: portOption(given, 8080), host: textOption(given, "host") ?? "127.0.0.1" };
  const chosen = chosenSettings(given);

  // 1. The definition; without a good one there is nothing to serve.
  let seen: string | Error = await readText(file, context);
  const first = await load(nameOf(file), seen, context);

  // 2. The mock. An edit puts another in its place.
  const { createMockApp } = await import("../functions/mock/app.ts");
  const appOf = ({ compiled, settings }: Loaded) =>
    createMockApp({
      compiled,
      settings: { ...settings, ...chosen },
      random: Math.random,
      log: (_, message, fields) => terminal.err(`${message} ${JSON.stringify(fields ?? {})}`),
    });
  let app = appOf(first);
  const server = await serve({ fetch: (request, env) => app.fetch(request, env) }, listen);
  const url = server.url.replace("//127.0.0.1:", "//localhost:");
  const { createSampler } = await import("../lib/sample/sample.ts");
  const show = (compiled: Compiled): void => {
    const { title, version, operations } = compiled;
    const count = `${operations.length} operation${operations.length === 1 ? "" : "s"}`;
    terminal.out(terminal.paint("bold", `${title} (OpenAPI ${version}), ${count}, at ${url}`));
    const sampleOf = createSampler(compiled);
    for (const operation of operations) terminal.out(curlLine(sampleOf(operation), url));
  };
  show(first.compiled);
  terminal.out(`Try it in a browser at ${url}/__apirator/docs. Ctrl-C stops.`);

  // 3. Until it is stopped.
  let work = Promise.resolve();
  const follow = async (): Promise<void> => {
    const now = await readText(file, context).catch((error: unknown) => error as Error);
    // What is written beside the file, our own log too, wakes us as well.
    if (String(now) === String(seen)) return;
    seen = now;
    if (now instanceof Error) throw now;
    const next = await load(nameOf(file), now, context);
    app = appOf(next);
    show(next.compiled);
  };
  const stopWatching =
    given.values["watch"] === true && file !== "-"
      ? watchFolder(file, {
          changed: () =>
            void (work = work.then(follow).catch((error: unknown) => {
              terminal.err(`${(error as Error).message}; the old answers stay`);
            })),
          lost: (error) => terminal.err(`${file} is no longer watched: ${error.message}`),
        })
      : () => {};
  await aborted(signal);
  stopWatching();
  await work;
  await server.close(patience);
  return 0;
}

/** A definition, and how its APIMock wants it to be answered. */
interface Loaded {
  readonly compiled: Compiled;
  readonly settings: MockSettings;
}

/** Answers the definition of a file's text and prints what is wrong with it; throws a `CommandError` where it is refused. */
async function load(name: string, text: string, { terminal }: Context): Promise<Loaded> {
  const [{ compileDocument, countText, findingLine }, { unpack }] = await Promise.all([
    import("./findings.ts"),
    import("../lib/compiled/pack.ts"),
  ]);
  const document = onlyDocument(text, name);
  const { compilation, findings } = await compileDocument(document, name);
  const shown = findings.filter(({ severity }) => severity !== "hint");
  for (const finding of shown) terminal.err(findingLine(finding, terminal));
  if (compilation.kind !== "compiled")
    throw new CommandError(`${name} is refused: ${countText(findings)}`);
  return { compiled: unpack(compilation.packed), settings: settingsOf(document.mock) };
}

const modes = ["Enforce", "Warn", "Off"] as const;

/** Answers what the command line says of the settings; what it does not say is left to the file. */
function chosenSettings(given: Given): Partial<MockSettings> {
  const seed = textOption(given, "seed");
  return {
    ...(textOption(given, "validate") === undefined
      ? {}
      : { validate: choiceOption(given, "validate", modes) }),
    ...(given.values["dynamic"] === true ? { dynamic: true } : {}),
    ...(seed === undefined ? {} : { seed }),
    ...(given.values["no-cors"] === true ? { cors: false } : {}),
  };
}

/** Answers `spec.mock` of an APIMock as far as it is well-formed, else the defaults; `apirator validate` says what is not. */
function settingsOf(mock: KubeObject | undefined): MockSettings {
  const spec = (mock?.["spec"] ?? {}) as { mock?: Readonly<Record<string, unknown>> | null };
  const { validate, dynamic, seed, cors } = spec.mock ?? {};
  return {
    validate: modes.find((mode) => mode === validate) ?? defaultSettings.validate,
    dynamic: typeof dynamic === "boolean" ? dynamic : defaultSettings.dynamic,
    seed: typeof seed === "string" ? seed : defaultSettings.seed,
    cors: typeof cors === "boolean" ? cors : defaultSettings.cors,
  };
}
