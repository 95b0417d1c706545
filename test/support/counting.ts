import type { Cluster } from "../../lib/cluster/cluster.ts";

/** One call to the port, as a test reads it: `get APIMock default/bets`. */
export type Call = string;

/** Answers the cluster, and a growing list of the calls that went through it. */
export function countedCluster(cluster: Cluster): { cluster: Cluster; calls: Call[] } {
  const calls: Call[] = [];
  const call = <Value>(text: string, value: () => Promise<Value>): Promise<Value> => {
    calls.push(text);
    return value();
  };
  return {
    calls,
    cluster: {
      get: (kind, key) =>
        call(`get ${kind.kind} ${key.namespace}/${key.name}`, () => cluster.get(kind, key)),
      list: (kind, options) => call(`list ${kind.kind}`, () => cluster.list(kind, options)),
      listMetadata: (kind, options) =>
        call(`listMetadata ${kind.kind}`, () => cluster.listMetadata(kind, options)),
      listRows: (kind, options) =>
        call(`listRows ${kind.kind}`, () => cluster.listRows(kind, options)),
      apply: (object) =>
        call(`apply ${object.kind} ${object.metadata.name}`, () => cluster.apply(object)),
      applyStatus: (object) =>
        call(`applyStatus ${object.kind} ${object.metadata.name}`, () =>
          cluster.applyStatus(object),
        ),
      patch: (kind, key, operations) =>
        call(`patch ${kind.kind} ${key.name}`, () => cluster.patch(kind, key, operations)),
      remove: (kind, key, preconditions) =>
        call(`remove ${kind.kind} ${key.name}`, () => cluster.remove(kind, key, preconditions)),
      recordEvent: (event) => call(`recordEvent ${event.reason}`, () => cluster.recordEvent(event)),
    },
  };
}

/** Answers those of the calls that write. */
export function writesOf(calls: readonly Call[]): Call[] {
  return calls.filter((text) => !/^(get|list)/.test(text));
}
