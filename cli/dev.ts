import { setTimeout as after } from "node:timers/promises";
import type { APIMock } from "../lib/apimock.ts";
import { kinds } from "../lib/cluster/kinds.ts";
import type { Key } from "../lib/names.ts";
import { keyText } from "../lib/names.ts";
import { serve } from "../lib/serve.ts";
import type { Command, Context, Given } from "./command.ts";
import { CommandError, portOption, textOption } from "./command.ts";
import { readFolder, watchFolder } from "./folder.ts";
import { createGateway } from "./gateway.ts";
import { createPageApp } from "./page-app.ts";
import { rowOf } from "./row.ts";
import { createRowPrinter } from "./row-printer.ts";
import type { Complaint } from "./upkeep.ts";
import { createUpkeep } from "./upkeep.ts";
import { createConnectedWorld } from "./world.ts";

/** Milliseconds that open requests get to finish at the end. */
const patience = 500;

/** Milliseconds that the first table waits for mocks to be ready. */
const warmUp = 20_000;

/** Milliseconds that a change gets to come to rest before its row is printed as it is. */
const settling = 300;

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

async function run(given: Given, { terminal, signal }: Context): Promise<number> {
  const [folder = "examples"] = given.positionals;
  let complaints: readonly Complaint[] = [];
  const files = await readFolder(folder).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(
      `${folder} cannot be read (${error.code ?? error.message}); name a folder with APIMocks or OpenAPI documents`,
    );
  });

  // 1. Listen first: a port that is taken is said before anything starts.
  const app = { fetch: (request: Request, env: object) => gateway.fetch(request, env as never) };
  const host = textOption(given, "host") ?? "127.0.0.1";
  const server = await serve(app, { port: portOption(given, 8080), host });
  const base = server.url.replace("//127.0.0.1:", "//localhost:");
  const urlOf = (key: Key): string => `${base}/${keyText(key)}`;

  // 2. The operator, its cluster, and who serves what.
  const world = createConnectedWorld({ url: urlOf });
  const upkeep = createUpkeep(world.user);
  const mocks = (): APIMock[] =>
    world.memory.objects().filter((object) => object.kind === kinds.apimock.kind) as APIMock[];
  const rows = () =>
    mocks()
      .map((mock) =>
        rowOf(mock, `${urlOf(mock.metadata)}/`, (finding) => upkeep.filed(mock.metadata, finding)),
      )
      .sort((a, b) => (keyText(a) < keyText(b) ? -1 : 1));
  const page = createPageApp(() => ({ folder, rows: rows(), complaints }));
  const gateway = createGateway({
    fetch: (key, request, env) => world.serving.fetch(key, request, env),
    page: (target) => page.respond(target),
    why: (key) => {
      const row = rows().find((row) => keyText(row) === keyText(key));
      return row === undefined ? undefined : row.message || "it is starting; ask again";
    },
  });

  // 3. What the folder says, now and from now on.
  const printer = createRowPrinter(terminal);
  let told: readonly Complaint[] = [];
  const tell = (): void => {
    const known = new Set(told.map(complaintLine));
    for (const complaint of complaints) {
      const line = complaintLine(complaint);
      if (!known.has(line)) terminal.err(line);
    }
    told = complaints;
  };
  const follow = async (): Promise<void> => {
    complaints = await upkeep.update(await readFolder(folder));
    tell();
    page.changed();
  };

  complaints = await upkeep.update(files);
  await Promise.race([world.settled(), after(warmUp, undefined, { ref: false })]);
  tell();
  printer.table(rows());
  const ready = files.find(({ manifests }) =>
    manifests.some(({ object }) =>
      rows().some((row) => row.ready === "True" && keyText(row) === keyText(object.metadata)),
    ),
  );
  terminal.out(
    `Edit ${(ready ?? files[0])?.file ?? `a file in ${folder}`} and call again. Ctrl-C stops.`,
  );

  // 4. One change at a time; the rows of mocks that are still on their way come when they have arrived.
  let work = Promise.resolve();
  const later = (step: () => Promise<void>): void => {
    work = work.then(step).catch((error: unknown) => terminal.err(String(error)));
  };
  const stopWatching = watchFolder(folder, {
    changed: () => later(follow),
    lost: (error) => terminal.err(`${folder} is no longer watched: ${error.message}`),
  });
  let printing = false;
  const show = async (): Promise<void> => {
    await Promise.race([world.settled(), after(settling, undefined, { ref: false })]);
    printing = false;
    page.changed();
    printer.changes(rows());
  };
  const stopRows = world.memory.watch(
    () => {
      if (printing) return;
      printing = true;
      void show();
    },
    { kind: kinds.apimock },
  );

  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  stopRows();
  stopWatching();
  page.close();
  await work;
  await server.close(patience);
  await world.close();
  return 0;
}

function complaintLine({ file, line, column, message }: Complaint): string {
  return `${file}:${line}:${column}: ${message}`;
}
