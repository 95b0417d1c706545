import type { Violation } from "../../lib/compiled/compiled.ts";
import type { Problem } from "../../lib/problem.ts";
import { makeProblem } from "../../lib/problem.ts";
import type { Fields } from "./exchange.ts";
import type { RequestFailure, RequestReading } from "./request/reading.ts";
import type { Denial } from "./security.ts";
import type { MockSettings } from "./settings.ts";

/** Something wrong with a request: the problem, and which statuses of the document may say it instead, best first. */
export interface Refusal {
  readonly problem: Problem;
  readonly wanted: readonly number[];
  /** What goes along either way: challenges, `Accept`, `Accept-Encoding`. */
  readonly headers: Fields;
}

const wantedStatuses: Readonly<Record<RequestFailure["code"], readonly number[]>> = {
  "malformed-body": [400, 422],
  "unsupported-media-type": [415, 422, 400],
  "unsupported-encoding": [415, 422, 400],
  "body-too-large": [413],
  "too-complex": [422, 400],
};

/** Answers why a request is refused, or undefined where nothing is wrong or it does not count: credentials first, then a body that cannot be read, then the rest. */
export function findRefusal(
  denial: Denial | undefined,
  { failure, violations, truncated }: RequestReading,
  validate: MockSettings["validate"],
): Refusal | undefined {
  // The bound on bodies protects the mock, so that it is no matter of validation.
  if (validate !== "Enforce" && failure?.code !== "body-too-large") return undefined;
  if (denial !== undefined) {
    return {
      problem: makeProblem("unauthorized", denial.detail),
      wanted: [401],
      headers: [["WWW-Authenticate", denial.challenges]],
    };
  }
  if (failure !== undefined) {
    return {
      problem: makeProblem(failure.code, failure.detail),
      wanted: wantedStatuses[failure.code],
      headers: Object.entries(failure.headers),
    };
  }
  const [first] = violations;
  if (first === undefined) return undefined;
  const others = violations.length === 1 ? "" : ` (and ${violations.length - 1} more)`;
  return {
    problem: makeProblem("invalid-request", `${describe(first)}${others}`, {
      violations,
      ...(truncated ? { truncated } : {}),
    }),
    wanted: [422, 400],
    headers: [],
  };
}

function describe({ in: place, name, pointer, message }: Violation): string {
  const where = place === "body" ? `body${pointer}` : `${place} ${name}${pointer}`;
  return `${where}: ${message}`;
}

/** Answers all that is wrong, as violations: what a mock that only warns says of it. */
export function violationsOf(
  denial: Denial | undefined,
  reading: RequestReading | undefined,
): Violation[] {
  const failure = reading?.failure;
  const fault = (place: Violation["in"], message: string, keyword: string): Violation => ({
    in: place,
    name: "",
    pointer: "",
    message,
    keyword,
  });
  return [
    ...(denial === undefined ? [] : [fault("header", denial.detail, "security")]),
    ...(failure === undefined ? [] : [fault("body", failure.detail, failure.code)]),
    ...(reading?.violations ?? []),
  ];
}

/** How many bytes of violations a header field carries. */
const mostBytes = 4096;

/** Answers the `Apirator-Violations` field: JSON in ASCII, whole items, at most 4 KB; nothing where there is no violation. */
export function violationFields(violations: readonly Violation[]): Fields {
  if (violations.length === 0) return [];
  const items: string[] = [];
  let bytes = 2;
  for (const violation of violations) {
    const item = asciiJson(violation);
    bytes += item.length + 1;
    if (bytes > mostBytes) break;
    items.push(item);
  }
  return [["Apirator-Violations", `[${items.join(",")}]`]];
}

function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
