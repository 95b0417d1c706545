import { ClusterError } from "../../lib/cluster/errors.ts";

/** Runs a JSON Patch that begins with a `test`: where that fails (422), the object was written in between, which is a conflict and nobody's mistake. */
export async function asConflict<Value>(patch: () => Promise<Value>): Promise<Value> {
  try {
    return await patch();
  } catch (error) {
    if (!(error instanceof ClusterError) || error.status !== 422) throw error;
    throw conflict(error.message, error.detail);
  }
}

/** Answers the error of something that changed between reading and writing. */
export function conflict(asked: string, detail: string): ClusterError {
  return new ClusterError({ asked, status: 409, reason: "Conflict", detail, class: "again" });
}
