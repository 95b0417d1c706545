import type { Cluster } from "../../lib/cluster/cluster.ts";
import { classify, ClusterError } from "../../lib/cluster/errors.ts";

/** Answers an error as the API server's Status would give it, or undefined where the call goes through. `call` is `apply Service`. */
export type Fault = (call: string) => ClusterError | undefined;

/** Answers the cluster with calls that fail as the fault says, before they reach it. */
export function faultyCluster(cluster: Cluster, fault: Fault): Cluster {
  const through = async <Value>(call: string, value: () => Promise<Value>): Promise<Value> => {
    const error = fault(call);
    if (error !== undefined) throw error;
    return await value();
  };
  return {
    get: (kind, key) => through(`get ${kind.kind}`, () => cluster.get(kind, key)),
    list: (kind, options) => through(`list ${kind.kind}`, () => cluster.list(kind, options)),
    listMetadata: (kind, options) =>
      through(`listMetadata ${kind.kind}`, () => cluster.listMetadata(kind, options)),
    listRows: (kind, options) =>
      through(`listRows ${kind.kind}`, () => cluster.listRows(kind, options)),
    apply: (object) => through(`apply ${object.kind}`, () => cluster.apply(object)),
    applyStatus: (object) =>
      through(`applyStatus ${object.kind}`, () => cluster.applyStatus(object)),
    patch: (kind, key, operations) =>
      through(`patch ${kind.kind}`, () => cluster.patch(kind, key, operations)),
    remove: (kind, key, preconditions) =>
      through(`remove ${kind.kind}`, () => cluster.remove(kind, key, preconditions)),
    recordEvent: (event) => through("recordEvent", () => cluster.recordEvent(event)),
  };
}

/** Answers the error of that HTTP status, classified as the real port does. */
export function failed(
  status: number,
  detail: string,
  cause?: { reason?: string; field?: string },
): ClusterError {
  const answer = { message: detail, details: { causes: cause === undefined ? [] : [cause] } };
  return new ClusterError({
    asked: "test",
    status,
    reason: "",
    detail,
    class: classify(status, answer),
  });
}
