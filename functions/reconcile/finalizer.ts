import type { APIMock } from "../../lib/apimock.ts";
import type { Cluster } from "../../lib/cluster/cluster.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import { legacyFinalizer } from "../../lib/names.ts";
import { asConflict } from "./conflict.ts";

/**
 * Answers the mock without the finalizer of the Go operator, which would keep it from being deleted for ever. The patch tests what it removes:
 * the list may have been changed in between, which is a conflict. One call where it is there, else none.
 */
export async function withoutLegacyFinalizer(
  mock: APIMock,
  cluster: Cluster,
  wrote: string[],
): Promise<APIMock> {
  const { namespace, name, finalizers = [] } = mock.metadata;
  const index = finalizers.indexOf(legacyFinalizer);
  if (index === -1) return mock;
  const path = `/metadata/finalizers/${index}`;
  const after = await asConflict(
    async () =>
      await cluster.patch(kinds.apimock, { namespace, name }, [
        { op: "test", path, value: legacyFinalizer },
        { op: "remove", path },
      ]),
  );
  wrote.push("finalizer");
  return after as APIMock;
}
