import { setTimeout as after } from "node:timers/promises";
import type { APIMock } from "../lib/apimock.ts";
import { kinds } from "../lib/cluster/kinds.ts";
import type { Key } from "../lib/names.ts";
import { keyText } from "../lib/names.ts";
import type { App } from "../lib/serve.ts";
import { serve } from "../lib/serve.ts";
import type { Command, Context, Given } from "./command.ts";
import { aborted, CommandError, portOption, textOption } from "./command.ts";
import { readFolder } from "./folder.ts";
import type { Follower } from "./follower.ts";
import { followFolder } from "./follower.ts";
import { createGateway } from "./gateway.ts";
import { createPageApp } from "./page-app.ts";
import type { MockRow } from "./row.ts";
import { rowOf } from "./row.ts";
import { createRowPrinter } from "./row-printer.ts";
import type { ConnectedWorld } from "./world.ts";
import { createConnectedWorld } from "./world.ts";

/** Milliseconds that open requests get to finish at the end. */
const patience = 500;

/** Milliseconds that the first table waits for mocks to be ready. */
const warmUp = 20_000;

/** Milliseconds that a change gets to come to rest before its row is printed as it is. */
const settling = 300;

/** Milliseconds between two ticks of the resync, as the installed PingSource has it. */
const resyncPeriod = 300_000;

/** `apirator dev`: the whole operator in one process, on the files of a folder. */
export const dev: Command = {
  help: `apirator dev [DIR] [--port N] [--host HOST]

Runs the whole operator in this process, on a cluster in memory: applies the APIMocks of DIR (default: examples), ConfigMaps that hold
definitions, and plain OpenAPI documents (a mock named after the file), and serves each mock below /NAMESPACE/NAME/. / is a page that lists
them. Files that change, come or go are followed. Ctrl-C stops.

  --port N      where to listen (8080; 0 takes a free port)
  --host HOST   address to listen on (127.0.0.1; 0.0.0.0 lets others in)`,
  options: { port: { type: "string" }, host: { type: "string" } },
  run,
};

async function run(given: Given, { terminal, signal, compiler }: Context): Promise<number> {
  const [folder = "examples"] = given.positionals;
  await readFolder(folder).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(
      `${folder} cannot be read (${error.code ?? error.message}); name a folder with APIMocks or OpenAPI documents`,
    );
  });

  // 1. Listen first: a port that is taken is said before anything starts.
  const app: App = { fetch: (request, env) => gateway.fetch(request, env) };
  const host = textOption(given, "host") ?? "127.0.0.1";
  const server = await serve(app, { port: portOption(given, 8080), host });
  const base = server.url.replace("//127.0.0.1:", "//localhost:");
  const urlOf = (key: Key): string => `${base}/${keyText(key)}`;

  // 2. The operator on its cluster; who calls a mock reaches it through the gateway.
  const world = createConnectedWorld({ url: urlOf, ...(compiler && { compiler }) });
  let follower: Follower | undefined;
  const rows = (): MockRow[] =>
    (world.memory.objects() as APIMock[])
      .filter(({ kind }) => kind === kinds.apimock.kind)
      .map((mock) =>
        rowOf(
          mock,
          `${urlOf(mock.metadata)}/`,
          (finding) => follower?.filed(mock.metadata, finding) ?? finding,
        ),
      )
      .sort((a, b) => (keyText(a) < keyText(b) ? -1 : 1));
  const page = createPageApp(() => ({
    folder,
    rows: rows(),
    complaints: follower?.complaints() ?? [],
  }));
  const gateway = createGateway({
    fetch: (key, request, env) => world.fetch(key, request, env),
    page: (target) => page.respond(target),
    why: (key) => {
      const row = rows().find((row) => keyText(row) === keyText(key));
      return row === undefined ? undefined : row.message || "it is starting; ask again";
    },
  });

  // 3. The folder, now and from now on.
  terminal.progress(`starting the mocks of ${folder}`);
  follower = await followFolder(folder, world.user, { terminal, changed: () => page.changed() });
  await Promise.race([world.settled(), after(warmUp, undefined, { ref: false }), aborted(signal)]);
  terminal.progress("");
  const printer = createRowPrinter(terminal);
  terminal.out(`${base}/ is a page of the mocks of ${folder === "." ? "this folder" : folder}.`);
  printer.table(rows());
  terminal.out(`Edit ${fileToEdit(follower, rows()) ?? `a file in ${folder}`} and call again. Ctrl-C stops.`); // oxfmt-ignore
  const ticking = setInterval(() => {
    world.tick().catch((error: unknown) => terminal.err(`the resync failed: ${String(error)}`));
  }, resyncPeriod);
  const stopRows = followRows(world, () => {
    page.changed();
    printer.changes(rows());
  });

  // 4. Until it is stopped.
  await aborted(signal);
  stopRows();
  clearInterval(ticking);
  page.close();
  await follower.stop();
  await server.close(patience);
  await world.close();
  return 0;
}

/** Answers the first file with a mock that is ready, else the first file. */
function fileToEdit(follower: Follower, rows: readonly MockRow[]): string | undefined {
  const ready = new Set(rows.filter((row) => row.ready === "True").map(keyText));
  const file = follower
    .files()
    .find(({ manifests }) => manifests.some(({ object }) => ready.has(keyText(object.metadata))));
  return (file ?? follower.files()[0])?.file;
}

/** Calls `changed` after mocks changed, when they have come to rest or take their time. */
function followRows(world: ConnectedWorld, changed: () => void): () => void {
  let waiting = false;
  const show = async (): Promise<void> => {
    await Promise.race([world.settled(), after(settling, undefined, { ref: false })]);
    waiting = false;
    changed();
  };
  return world.memory.watch(
    () => {
      if (waiting) return;
      waiting = true;
      void show();
    },
    { kind: kinds.apimock },
  );
}
