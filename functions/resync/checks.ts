import { fingerprint, readApplied, type SharedConfigMap } from "../../lib/applied.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import type { ChildRow, MockRow } from "./rows.ts";

/** All that is known of a mock without reading a definition. */
export interface Known {
  readonly mock: MockRow;
  readonly children: readonly ChildRow[];
  /** The ConfigMap of its definition, where it has one and may read it. */
  readonly shared?: SharedConfigMap;
}

/** A reason why a mock needs work. */
interface Check {
  readonly name: string;
  readonly holds: (known: Known) => boolean;
}

/** ConfigMaps that a mock may keep: in service, about to be, and one that waits to be cleaned up. */
const mostConfigMaps = 3;

/** Every reason but an upgrade. Read aloud, they say what a mock at rest is. */
const checks: readonly Check[] = [
  // The spec was changed, or the mock is new, and its event was lost.
  { name: "SpecIsNotObserved", holds: ({ mock }) => mock.observed !== mock.generation },
  // A child was changed, removed or replaced, or the shared ConfigMap was.
  {
    name: "ChildrenAreNotAsLeft",
    holds: ({ mock, children, shared }) =>
      readApplied(mock.applied).hash !==
      fingerprint(
        children.map(({ child }) => child),
        shared,
      ),
  },
  // Somebody took labels or annotations away, which no generation tells.
  {
    name: "ChildrenAreNotMarked",
    holds: ({ children }) => !children.every(({ marked }) => marked),
  },
  // The workload moved: inside the cluster or out of it, or to another domain.
  {
    name: "AddressDisagrees",
    holds: ({ mock, children }) => children.some(({ url }) => url !== "" && url !== mock.url),
  },
  // The workload became ready, or ceased to be, and its event was lost.
  { name: "ReadinessDisagrees", holds: readinessDisagrees },
  // A ConfigMap that is not shared is in no list: what is wrong with the reference can only be read. Who serves nothing of it does not ask.
  {
    name: "ReferenceIsOpen",
    holds: ({ mock, shared }) =>
      mock.definitionFrom !== "" && shared === undefined && mock.reason !== "RuntimeNotSupported",
  },
  // What was amiss may pass, or have passed, without an event: a name becomes free, a right is given, a successor of what was lost is ready.
  { name: "WorthAnotherTry", holds: ({ mock }) => readApplied(mock.applied).open },
  {
    name: "TooManyConfigMaps",
    holds: ({ children }) =>
      children.filter(({ child }) => child.kind === kinds.configMap).length > mostConfigMaps,
  },
];

/** What a mock needs: nothing, a reconcile, or one that an upgrade alone asks for and that can wait. */
export type Need = "nothing" | "upgrade" | "work";

/** Answers what the mock needs, and why: the names of the checks that hold. `build` is what the operator would bring now. */
export function needOf(
  known: Known,
  build: string,
): { readonly need: Need; readonly why: readonly string[] } {
  const why = checks.filter(({ holds }) => holds(known)).map(({ name }) => name);
  const upgrade = known.mock.build === build ? [] : ["BuildIsOld"];
  const need = why.length > 0 ? "work" : upgrade.length > 0 ? "upgrade" : "nothing";
  return { need, why: [...why, ...upgrade] };
}

/** What the status says of the workload must be what the workload says of itself. */
function readinessDisagrees({ mock, children }: Known): boolean {
  const workload = children.find(({ ready }) => ready !== "")?.ready;
  if (workload === undefined) return false;
  if (mock.ready === "True") return workload !== "True";
  const claimed: Readonly<Record<string, string>> = {
    RollingOut: "Unknown",
    Starting: "Unknown",
    HeldDefinitionLost: "Unknown",
    RolloutFailed: "False",
  };
  const expected = claimed[mock.reason];
  if (expected !== undefined) return workload !== expected;
  // A refused definition hides the workload; what it holds says what it is. A lost one (Error) looks ready to Knative, and is left open.
  if (mock.reason !== "DefinitionRefused" || mock.phase === "Error") return false;
  return workload !== mock.available;
}
