import { parseAllDocuments } from "yaml";
import type { Outcome } from "../functions/reconcile/outcome.ts";
import type { Event } from "../lib/cloudevent.ts";
import { keyOf } from "../lib/cloudevent.ts";
import type { Cluster, KubeObject } from "../lib/cluster/cluster.ts";
import { ClusterError } from "../lib/cluster/errors.ts";
import { kinds } from "../lib/cluster/kinds.ts";
import { templateOf } from "../lib/embedded/knative.ts";
import { environmentOf } from "../lib/embedded/pod.ts";
import type { Key } from "../lib/names.ts";
import { keyText } from "../lib/names.ts";
import type { Context } from "./command.ts";
import { CommandError, UsageError } from "./command.ts";
import { listedObjects, seedObjects } from "./seed.ts";

/** How an event ended, and what was written because of it, in words. */
export interface Sent {
  readonly outcome: "done" | "retry" | "refused";
  readonly wrote: string;
  /** Why it did not end well; "" where it did. */
  readonly why: string;
}

/** Where a replay sends its events. */
export interface Target {
  readonly url: string;
  send(request: Request): Promise<Sent>;
  close(): Promise<void>;
}

const nowhere = "http://reconcile/";

/**
 * Answers the function on a cluster in memory that holds the mocks of a file and of the events themselves. Says which mocks are
 * asked for and not there: nothing happens to them.
 */
export async function worldTarget(
  events: readonly Event[],
  file: { readonly name: string; readonly text: string } | undefined,
  { terminal, compiler }: Context,
): Promise<Target> {
  const objects = file === undefined ? [] : objectsOf(file);
  const { createWorld } = await import("./world.ts");
  const ends: Outcome[] = [];
  const world = createWorld({
    ended: (_, outcome) => ends.push(outcome),
    ...(compiler && { compiler }),
  });
  const seeds = seedObjects(objects, events);
  for (const object of seeds) {
    await world.user.apply(object).catch((error: unknown) => {
      if (!(error instanceof ClusterError)) throw error;
      terminal.err(
        `${object.kind} ${keyText(object.metadata)} is not in the world: ${error.detail}`,
      );
    });
  }
  const there = new Set(
    seeds
      .filter(({ kind }) => kind === kinds.apimock.kind)
      .map(({ metadata }) => keyText(metadata)),
  );
  const missing = new Set(
    mocksOf(events)
      .map(keyText)
      .filter((key) => !there.has(key)),
  );
  if (missing.size > 0)
    terminal.err(
      `not in the world, so nothing happens to them: ${[...missing].join(", ")}; --world FILE brings mocks`,
    );
  return {
    url: nowhere,
    send: (request) => sent(world.reconcile(request), ends),
    close: () => world.close(),
  };
}

function mocksOf(events: readonly Event[]): Key[] {
  return events.flatMap((event) => {
    const subject = keyOf(event);
    return subject?.kind === "mock" ? [subject] : [];
  });
}

/** Answers the function on the cluster of the current kubeconfig, or undefined where the user does not want it. */
export async function clusterTarget(
  { yes, image }: { readonly yes: boolean; readonly image: string | undefined },
  context: Context,
): Promise<Target | undefined> {
  const { terminal, environment, ask, compiler } = context;
  const [{ findAccess }, { httpCluster }, { createFunctions }] = await Promise.all([
    import("../lib/cluster/kubeconfig.ts"),
    import("../lib/cluster/http.ts"),
    import("./functions.ts"),
  ]);
  const access = findAccess({ environment });
  terminal.err(`context ${access.context}, API server ${access.server}`);
  if (!yes && !(await ask("Reconcile mocks of this cluster?"))) {
    terminal.err("nothing was sent; --yes does not ask");
    return undefined;
  }
  const ends: Outcome[] = [];
  const cluster = httpCluster(() => access);
  const functions = createFunctions(cluster, image ?? (await installedImage(cluster)), {
    ended: (_, outcome) => ends.push(outcome),
    ...(compiler && { compiler }),
  });
  if (image === undefined && (await isOtherVersion(cluster, functions.build)))
    terminal.err(
      "the installed operator is another version than this command line: each writes mocks as it makes them, and the installed one last",
    );
  return {
    url: nowhere,
    send: (request) => sent(functions.reconcile(request), ends),
    close: () => functions.close(),
  };
}

/** Answers whether a mock of the cluster was made by another compiler or template than ours; one that nobody has made yet tells nothing. */
async function isOtherVersion(cluster: Cluster, build: string): Promise<boolean> {
  const { items } = await cluster.listRows(kinds.apimock, { limit: 1, include: "None" });
  const made = items[0]?.cells["Build"] ?? "";
  return made !== "" && made !== build;
}

/** Answers the image that the installed operator gives to mocks: another one would roll them all. */
async function installedImage(cluster: Cluster): Promise<string> {
  const kservice = await cluster.get(kinds.kservice, {
    namespace: "apirator-system",
    name: "reconcile",
  });
  const variables = kservice === undefined ? {} : environmentOf(templateOf(kservice).spec);
  const image = variables["MOCK_IMAGE"] ?? "";
  if (image !== "") return image;
  throw new CommandError(
    "no operator is installed in apirator-system that says which image mocks run; give it with --image",
  );
}

/** Answers a function that listens somewhere; what it writes cannot be told from here. */
export function urlTarget(to: string): Target {
  if (!URL.canParse(to) || !/^https?:$/.test(new URL(to).protocol))
    throw new UsageError(`--to ${to} is no http URL`);
  return {
    url: to,
    send: async (request) => {
      const response = await fetch(request).catch((error: unknown) => {
        const { cause, message } = error as Error & { cause?: Error };
        throw new CommandError(`${to} cannot be reached: ${cause?.message ?? message}`);
      });
      const outcome = outcomeOf(response.status);
      const answered = `${to} answered ${response.status}`;
      const why = outcome === "done" ? [] : [answered, detailOf(await response.text())];
      return { outcome, wrote: "-", why: why.filter((part) => part !== "").join(": ") };
    },
    close: () => Promise.resolve(),
  };
}

async function sent(answer: Promise<Response>, ends: Outcome[]): Promise<Sent> {
  const response = await answer;
  const ended = ends.splice(0);
  const wrote = ended.flatMap((end) => end.wrote);
  const why = ended.flatMap((end) => (end.kind === "retry" ? [end.why] : []));
  return {
    outcome: outcomeOf(response.status),
    wrote: wrote.length === 0 ? "nothing" : wrote.join(", "),
    why: [...why, detailOf(await response.text())].filter((part) => part !== "").join("; "),
  };
}

/** Answers the detail of a problem (RFC 9457), "" where a body is none. */
function detailOf(body: string): string {
  try {
    const { detail } = JSON.parse(body) as { detail?: unknown };
    return typeof detail === "string" ? detail : "";
  } catch {
    return "";
  }
}

/** What a Broker makes of a status: an end, another attempt, or a dead letter. */
function outcomeOf(status: number): Sent["outcome"] {
  if (status >= 200 && status < 300) return "done";
  return status >= 500 || [404, 408, 409, 429].includes(status) ? "retry" : "refused";
}

function objectsOf({ name, text }: { readonly name: string; readonly text: string }): KubeObject[] {
  const documents = [...parseAllDocuments(text, { logLevel: "silent" })];
  const error = documents.flatMap((document) => document.errors)[0];
  if (error !== undefined)
    throw new CommandError(`${name} is no YAML: ${error.message.split("\n")[0]}`);
  const objects = documents.flatMap((document) => listedObjects(document.toJS()));
  if (objects.length > 0) return objects;
  throw new CommandError(
    `${name} holds no objects; kubectl get apimocks -o yaml makes such a file`,
  );
}
