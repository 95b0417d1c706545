import type { Clock } from "../../lib/clock.ts";
import type { Cluster } from "../../lib/cluster/cluster.ts";
import { ClusterError } from "../../lib/cluster/errors.ts";

/**
 * Answers the cluster as a run may use it: after the milliseconds every call is refused as one to be tried again. A call at work is left to end, which
 * the port bounds, so that two runs of one key never overlap.
 */
export function withDeadline(cluster: Cluster, clock: Clock, milliseconds: number): Cluster {
  const end = clock.now() + milliseconds;
  const inTime = async <Value>(call: () => Promise<Value>): Promise<Value> => {
    if (clock.now() < end) return await call();
    const detail = `the run had ${milliseconds / 1000} s`;
    throw new ClusterError({
      asked: "reconcile",
      status: 0,
      reason: "Timeout",
      detail,
      class: "again",
    });
  };
  return {
    get: async (kind, key) => await inTime(async () => await cluster.get(kind, key)),
    list: async (kind, options) => await inTime(async () => await cluster.list(kind, options)),
    listMetadata: async (kind, options) =>
      await inTime(async () => await cluster.listMetadata(kind, options)),
    listRows: async (kind, options) =>
      await inTime(async () => await cluster.listRows(kind, options)),
    apply: async (object) => await inTime(async () => await cluster.apply(object)),
    applyStatus: async (object) => await inTime(async () => await cluster.applyStatus(object)),
    patch: async (kind, key, operations) =>
      await inTime(async () => await cluster.patch(kind, key, operations)),
    remove: async (kind, key, preconditions) => {
      await inTime(async () => await cluster.remove(kind, key, preconditions));
    },
    recordEvent: async (event) => {
      await inTime(async () => await cluster.recordEvent(event));
    },
  };
}
