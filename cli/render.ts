import { stringify } from "yaml";
import type { APIMock } from "../lib/apimock.ts";
import type { KubeObject } from "../lib/cluster/cluster.ts";
import { kinds } from "../lib/cluster/kinds.ts";
import { resyncEvent } from "../lib/cloudevent.ts";
import { requestOf } from "../lib/embedded/message.ts";
import type { Command, Context, Given } from "./command.ts";
import { CommandError, UsageError } from "./command.ts";
import { nameOf, readText } from "./document.ts";
import { findingLine } from "./findings.ts";
import { readManifests } from "./manifest.ts";
import { createUpkeep } from "./upkeep.ts";

/** `apirator render`: what the operator would apply, by the operator itself. */
export const render: Command = {
  help: `apirator render FILE

Prints the objects that the operator would apply to a cluster for the APIMocks of FILE (or for a plain OpenAPI document), as YAML: the real
reconcile makes them, on a cluster in memory. Uids are a cluster's to give; here they are counted. - reads standard input.

Exit code 1 where a definition is refused; what is wrong is said on standard error.`,
  options: {},
  run,
};

async function run(given: Given, context: Context): Promise<number> {
  const { terminal, compiler } = context;
  const [file, ...more] = given.positionals;
  if (file === undefined || more.length > 0) throw new UsageError("name one file to render");
  const contents = readManifests(await readText(file, context), nameOf(file));

  const { createWorld } = await import("./world.ts");
  let uids = 0;
  const world = createWorld({
    ...(compiler && { compiler }),
    uid: () => `00000000-0000-0000-0000-${String((uids += 1)).padStart(12, "0")}`,
  });
  try {
    const upkeep = createUpkeep(world.user);
    const [complaint] = await upkeep.update([{ file, ...contents }]);
    if (complaint !== undefined) {
      const { line, column, message } = complaint;
      throw new CommandError(`${file}:${line}:${column}: ${message}`);
    }
    const mocks = contents.manifests.filter(({ object }) => object.kind === kinds.apimock.kind);
    if (mocks.length === 0)
      throw new CommandError(`${file} holds no APIMock and no OpenAPI document`);
    let refused = false;
    for (const { object } of mocks) {
      const at = { id: "render", time: new Date(0).toISOString() };
      await world.reconcile(requestOf(resyncEvent(object.metadata, at), "http://reconcile/"));
      const mock = (await world.user.get(kinds.apimock, object.metadata)) as APIMock;
      for (const finding of mock.status?.findings ?? []) {
        const filed = upkeep.filed(object.metadata, finding);
        const place = filed.file ?? `${file}:${finding.line}:${finding.column}`;
        terminal.err(findingLine({ ...finding, file: place, line: 0 }, terminal));
        refused ||= finding.severity === "error";
      }
    }
    for (const object of world.memory.objects().filter(isChild)) {
      terminal.out(`---\n${stringify(applied(object), { lineWidth: 0 }).trimEnd()}`);
    }
    return refused ? 1 : 0;
  } finally {
    await world.close();
  }
}

function isChild({ metadata }: KubeObject): boolean {
  return (metadata.ownerReferences ?? []).some(({ kind }) => kind === kinds.apimock.kind);
}

/** Annotations that Knative's webhook writes. */
const serverMade = new Set(["serving.knative.dev/creator", "serving.knative.dev/lastModifier"]);

/** The object as it was applied: without what the server adds. */
function applied(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata, ...rest } = object;
  const { name, namespace, labels, annotations, ownerReferences = [] } = metadata;
  const written = Object.entries(annotations ?? {}).filter(([key]) => !serverMade.has(key));
  const members = Object.entries(rest).filter(([member]) => member !== "status");
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace,
      ...(labels === undefined ? {} : { labels }),
      ...(written.length === 0 ? {} : { annotations: Object.fromEntries(written) }),
      ownerReferences,
    },
    ...Object.fromEntries(members),
  };
}
