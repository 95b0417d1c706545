import { fingerprint, readApplied } from "../../lib/applied.ts";
import { buildOf } from "../../lib/build.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Cluster } from "../../lib/cluster/cluster.ts";
import type { Compiler } from "../../lib/compiler/compilation.ts";
import type { Key } from "../../lib/names.ts";
import { childrenOf, ownConfigMaps, removeStale, writeChildren } from "./children.ts";
import { choiceOf, heldOf, isWanted } from "./choice.ts";
import { withoutLegacyFinalizer } from "./finalizer.ts";
import { observeWhole, workloadSeen } from "./observation.ts";
import type { Outcome } from "./outcome.ts";
import { removeUnused } from "./removal.ts";
import { report, reportDenied, reportUnsupported } from "./report.ts";
import type { Settings } from "./settings.ts";
import { textOf } from "./text.ts";
import { verdictOn } from "./verdict.ts";

/** What a reconcile needs of the world. */
export interface Dependencies {
  readonly cluster: Cluster;
  readonly compiler: Compiler;
  readonly settings: Settings;
  readonly clock: Clock;
}

/**
 * Makes one mock as its spec wants it, and says in its status how it is. Takes nothing but the key: everything is read again, so that the loss,
 * repetition and order of events make no difference. `wrote` gathers what was written. Throws a `ClusterError` for what this run cannot settle.
 */
export async function reconcile(key: Key, needs: Dependencies, wrote: string[]): Promise<Outcome> {
  const { cluster, compiler, settings, clock } = needs;

  // 1. Children first, then the mock. One that is gone needs nothing: its children are the garbage collector's.
  const seen = await observeWhole(key, cluster);
  if (seen.mock === undefined) return { kind: "done", wrote };
  const mock = await withoutLegacyFinalizer(seen.mock, cluster, wrote);
  if (mock.metadata.deletionTimestamp !== undefined) return { kind: "done", wrote };
  const build = buildOf({ image: settings.image, compiler: compiler.version });
  const work = { mock, seen, cluster, settings, wrote, build, clock };

  // 2. Where the children may not be read, or the runtime is not ours to run, what serves is left as it is.
  if (seen.denied !== undefined) return await reportDenied(work, seen.denied);
  if (mock.spec.runtime !== "Knative") return await reportUnsupported(work);

  // 3. A mock of this name that is no more leaves its children to nobody: they go before anything is made.
  const stale = await removeStale(work);
  if (stale.length > 0) return { kind: "retry", why: whyOf(stale), wrote };

  // 4. The definition: the text of the spec, the judgement on it, and what is to be served because of it.
  const text = await textOf(mock, cluster);
  const ours = ownConfigMaps(seen, mock);
  const before = childrenOf(mock, { ...seen, configMaps: ours });
  const untouched = readApplied(mock.status?.applied).hash === fingerprint(before, text.shared);
  const held = heldOf(mock, workloadSeen(seen, mock), { untouched, ours });
  const wanted = isWanted(mock, held);
  const verdict = await verdictOn({ text, mock, ours, wanted }, compiler);
  const choice = choiceOf(mock, verdict, held);

  // 5. The children: apply what differs, then remove what nothing uses any more.
  const made = await writeChildren(work, choice, { verdict, held, untouched });
  const left = await removeUnused(work, made, { choice, held });

  // 6. The status, from what was observed.
  return await report(work, { verdict, choice, left, ...(text.shared && { shared: text.shared }) });
}

function whyOf(failures: readonly { child: string; detail: string }[]): string {
  return failures.map(({ child, detail }) => `${child}: ${detail}`).join("; ");
}
