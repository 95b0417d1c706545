import { execFile } from "node:child_process";
import { eventually } from "../run.ts";

/** A condition of any kind. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
}

/** What tests look at in the status of APIMocks, KServices, Deployments and Jobs. */
export interface SeenStatus {
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
  readonly url?: string;
  readonly phase?: string;
  readonly definition?: {
    readonly hash: string;
    readonly title: string;
    readonly version: string;
    readonly operations: number;
  };
  readonly findings?: readonly {
    readonly code: string;
    readonly line: number;
    readonly column: number;
    readonly message: string;
  }[];
  readonly applied?: string;
  readonly build?: string;
  readonly latestCreatedRevisionName?: string;
  readonly latestReadyRevisionName?: string;
  readonly traffic?: readonly { readonly revisionName: string; readonly percent: number }[];
  readonly availableReplicas?: number;
  readonly succeeded?: number;
}

/** An object as the API server answers it, as far as tests look into it. */
export interface Seen {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly generation: number;
    readonly resourceVersion: string;
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
    readonly ownerReferences?: { uid: string; kind: string; name: string }[];
    readonly finalizers?: string[];
    readonly deletionTimestamp?: string;
  };
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status?: SeenStatus;
  readonly data?: Record<string, string>;
  readonly binaryData?: Record<string, string>;
}

/** Runs kubectl on the cluster of KUBECONFIG and answers what it printed to standard output; `input` goes to its standard input. Throws with kubectl's own words. */
export function kubectl(args: readonly string[], input = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile("kubectl", args, { maxBuffer: 2 ** 28 }, (error, out, errors) => {
      if (error === null) resolve(out);
      else reject(new Error(`kubectl ${args.join(" ")}: ${errors.trim() || error.message}`));
    });
    child.stdin?.on("error", () => {}); // It may end before it has read everything.
    child.stdin?.end(input);
  });
}

/** Applies objects or a YAML text on the server's side, as a person with `kubectl apply --server-side` would. */
export async function apply(what: string | object | readonly object[]): Promise<string> {
  const text =
    typeof what === "string"
      ? what
      : JSON.stringify(
          Array.isArray(what) ? { apiVersion: "v1", kind: "List", items: what } : what,
        );
  return await kubectl(["apply", "--server-side", "--force-conflicts", "-f", "-"], text);
}

/** Answers an object, undefined where it is not there. `kind` is as kubectl takes it: `apimock`, `ksvc`, `configmap`. */
export async function get(
  kind: string,
  namespace: string,
  name: string,
): Promise<Seen | undefined> {
  const text = await kubectl([
    "get",
    kind,
    name,
    "--namespace",
    namespace,
    "--output",
    "json",
    "--ignore-not-found",
  ]);
  return text === "" ? undefined : (JSON.parse(text) as Seen);
}

/** Answers the objects of a kind in a namespace, those with the labels if a selector is given. */
export async function list(kind: string, namespace: string, selector = ""): Promise<Seen[]> {
  const text = await kubectl([
    "get",
    kind,
    "--namespace",
    namespace,
    "--selector",
    selector,
    "--output",
    "json",
  ]);
  return (JSON.parse(text) as { items: Seen[] }).items;
}

/** Deletes an object and waits until it is gone unless told otherwise; fine where it is not there. */
export async function remove(
  kind: string,
  namespace: string,
  name: string,
  wait = true,
): Promise<void> {
  await kubectl([
    "delete",
    kind,
    name,
    "--namespace",
    namespace,
    "--ignore-not-found",
    `--wait=${wait}`,
    "--timeout=120s",
  ]);
}

/** Waits until the object is as `check` wants it, at most `seconds`, and answers it. Fails with what is waited for and how the object last looked. */
export async function until(
  what: string,
  seconds: number,
  read: () => Promise<Seen | undefined>,
  check: (object: Seen) => boolean,
): Promise<Seen> {
  let last: Seen | undefined;
  try {
    return await eventually(what, seconds, async () => {
      last = await read();
      return last !== undefined && check(last) ? last : undefined;
    });
  } catch (error) {
    throw new Error(
      `${error instanceof Error ? error.message : String(error)}; last seen: ${JSON.stringify(last?.status ?? last)}`,
      { cause: error },
    );
  }
}

/** Waits some milliseconds: for what must *not* happen meanwhile. */
export async function pause(milliseconds: number): Promise<void> {
  await new Promise((wake) => setTimeout(wake, milliseconds));
}
