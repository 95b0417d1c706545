import { eventually } from "../run.ts";
import { apply, get, kubectl, list, remove, until } from "./kube.ts";
import { mockOf } from "./mocks.ts";

const system = "apirator-system";
const selector = "eventing.knative.dev/sourceName=apirator";

/** Stops Deployments, all of them before it waits for the first: none of them has a pod afterwards. */
export async function stopDeployments(namespace: string, names: readonly string[]): Promise<void> {
  await scale(namespace, names, 0);
  await eventually(`no pod of ${names.join(", ")}`, 120, async () =>
    (await podsOf(namespace, names)).length === 0 ? true : undefined,
  );
}

/** Gives stopped Deployments their one pod back, and waits for it. */
export async function startDeployments(namespace: string, names: readonly string[]): Promise<void> {
  await scale(namespace, names, 1);
  for (const name of names)
    await kubectl([
      "rollout",
      "status",
      `deployment/${name}`,
      "--namespace",
      namespace,
      "--timeout=120s",
    ]);
}

/** Runs `act` while Deployments are stopped, and starts them afterwards, whatever happens. Fails where somebody has started them meanwhile. */
export async function whileStopped(
  namespace: string,
  names: readonly string[],
  act: () => Promise<void>,
): Promise<void> {
  try {
    await stopDeployments(namespace, names);
    await act();
    const pods = await podsOf(namespace, names);
    if (pods.length > 0) throw new Error(`${pods.join(", ")}: was started again meanwhile`);
  } finally {
    await startDeployments(namespace, names);
  }
}

async function scale(namespace: string, names: readonly string[], replicas: number): Promise<void> {
  const deployments = names.map((name) => `deployment/${name}`);
  await kubectl(["scale", ...deployments, "--namespace", namespace, `--replicas=${replicas}`]);
}

async function podsOf(namespace: string, names: readonly string[]): Promise<string[]> {
  return (await list("pod", namespace))
    .map(({ metadata }) => metadata.name)
    .filter((pod) => names.some((name) => pod.startsWith(`${name}-`)));
}

/** Answers the name of the Deployment that Knative runs the operator's source with. */
export async function sourceDeployment(): Promise<string> {
  const [deployment] = await list("deployment", system, selector);
  if (deployment === undefined) throw new Error("the source has no Deployment; is it installed?");
  return deployment.metadata.name;
}

/**
 * Waits until the source sees what happens in the namespace: a new namespace makes Knative start its pod again, and what happens meanwhile is not seen.
 * Proved with a mock that is refused, which goes again.
 */
export async function sourceAwake(namespace: string): Promise<void> {
  await eventually("the source knows the namespace and has one pod", 120, async () => {
    const [deployment] = await list("deployment", system, selector);
    if (!JSON.stringify(deployment?.spec).includes(`\\"${namespace}\\"`)) return undefined;
    await kubectl([
      "rollout",
      "status",
      `deployment/${deployment?.metadata.name}`,
      "--namespace",
      system,
      "--timeout=90s",
    ]);
    return (await list("pod", system, selector)).length === 1 ? true : undefined;
  });
  let touched = 0;
  await eventually("the source sends", 120, async () => {
    await apply(mockOf(namespace, "canary", { definition: `no definition ${(touched += 1)}` }));
    await until(
      "the canary is seen",
      8,
      async () => await get("apimock", namespace, "canary"),
      ({ status, metadata }) => status?.observedGeneration === metadata.generation,
    );
    return true;
  });
  await remove("apimock", namespace, "canary");
}
