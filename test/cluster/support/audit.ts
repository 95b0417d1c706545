import { existsSync, readFileSync } from "node:fs";
import { places } from "../places.ts";

/** A request that one of the operator's ServiceAccounts made, out of the API server's audit log. */
export interface AuditedCall {
  /** The ServiceAccount's name. */
  readonly who: string;
  /** The ServiceAccount's uid: another one after each installation from scratch. */
  readonly account: string;
  readonly verb: string;
  /** `RESOURCE.GROUP/SUBRESOURCE`, as RBAC would name it; the URI where it is no resource. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly status: number;
  /** Whether the account lacked the right: a quota or a namespace that is being deleted refuses with 403 too, after the right was found. */
  readonly lacked: boolean;
  /** Milliseconds since the epoch, when the request came. */
  readonly time: number;
}

interface AuditLine {
  readonly user: { readonly username: string; readonly uid: string };
  readonly verb: string;
  readonly requestURI: string;
  readonly stage: string;
  readonly objectRef?: {
    readonly resource: string;
    readonly apiGroup?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code?: number };
  readonly annotations?: { readonly "authorization.k8s.io/decision"?: "allow" | "forbid" };
  readonly requestReceivedTimestamp: string;
}

/** Answers the requests of the operator's ServiceAccounts since an instant (milliseconds since the epoch), in their order. Needs the test cluster. */
export function auditedCalls(since = 0): AuditedCall[] {
  if (!existsSync(places.audit))
    throw new Error(`${places.audit}: the audit log of the test cluster is not there`);
  return readFileSync(places.audit, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as AuditLine)
    .filter((line) => line.stage === "ResponseComplete" || line.stage === "ResponseStarted")
    .map(callOf)
    .filter((call) => call.time >= since);
}

function callOf(line: AuditLine): AuditedCall {
  const {
    resource,
    apiGroup,
    subresource,
    namespace = "",
    name = "",
  } = line.objectRef ?? { resource: line.requestURI };
  return {
    who: line.user.username.split(":").at(-1) ?? "",
    account: line.user.uid,
    verb: line.verb,
    resource: `${resource}${apiGroup ? `.${apiGroup}` : ""}${subresource ? `/${subresource}` : ""}`,
    namespace,
    name,
    status: line.responseStatus?.code ?? 0,
    lacked: line.annotations?.["authorization.k8s.io/decision"] === "forbid",
    time: Date.parse(line.requestReceivedTimestamp),
  };
}

/** Answers those of the calls that write. */
export function writesOf(calls: readonly AuditedCall[]): AuditedCall[] {
  return calls.filter((call) => ["create", "patch", "update", "delete"].includes(call.verb));
}
