import type { APIMock, Condition } from "../lib/apimock.ts";
import type { Finding } from "../lib/finding.ts";
import type { Key } from "../lib/names.ts";

/** A finding, and where its place lies in the user's file (`examples/typo.yaml:49:17`), where that is known. */
export interface FiledFinding extends Finding {
  readonly file?: string;
}

/** A mock as the table and the page of `apirator dev` show it. */
export interface MockRow extends Key {
  /** `True`, `False` or `Unknown`: the condition Ready. */
  readonly ready: string;
  /** Why: the reason and message of Ready where it is not True, else "". */
  readonly reason: string;
  readonly message: string;
  readonly title: string;
  readonly version: string;
  readonly operations: number;
  /** Where it answers, with a slash at the end; "" while nothing serves. */
  readonly url: string;
  readonly findings: readonly FiledFinding[];
}

/** Answers a mock's row. `url` is where the gateway has it, `filed` adds the file to a finding. Pure. */
export function rowOf(
  mock: APIMock,
  url: string,
  filed: (finding: Finding) => FiledFinding,
): MockRow {
  const { namespace, name } = mock.metadata;
  const { definition = nothing, findings = [] } = mock.status ?? {};
  const ready = conditionOf(mock, "Ready");
  const trouble = ready?.status === "True" ? undefined : ready;
  return {
    namespace,
    name,
    ready: ready?.status ?? "Unknown",
    reason: trouble?.reason ?? "",
    message: trouble?.message ?? "",
    title: definition.title,
    version: definition.version,
    operations: definition.operations,
    url: conditionOf(mock, "Available")?.status === "True" ? url : "",
    findings: findings.map(filed),
  };
}

const nothing = { title: "", version: "", operations: 0 };

function conditionOf(mock: APIMock, type: Condition["type"]): Condition | undefined {
  return mock.status?.conditions?.find((condition) => condition.type === type);
}

/** Answers the last column of the table: where the mock answers, or what stands in the way, and whether the old definition goes on. */
export function placeText({ ready, reason, message, url, findings }: MockRow): string {
  if (ready === "True") return url;
  const error = findings.find((finding) => finding.severity === "error");
  const trouble =
    error === undefined
      ? [reason, message].filter((part) => part !== "").join(": ") || "starting"
      : [error.line === 0 ? "" : `line ${error.line}, column ${error.column}`, error.code]
          .filter((part) => part !== "")
          .join(": ");
  return url === "" ? trouble : `${trouble}; the last good definition serves`;
}
