import { join } from "node:path";
import { get, kubectl, until } from "./kube.ts";
import { condition } from "./mocks.ts";
import { checkout, functionsAsleep } from "./skaffold.ts";

const system = "apirator-system";

/** Answers the image of the operator that is installed, as it was set. */
export async function installedImage(): Promise<string> {
  const image = await kubectl([
    "get",
    "ksvc",
    "reconcile",
    "--namespace",
    system,
    "--output",
    "jsonpath={.spec.template.spec.containers[0].image}",
  ]);
  if (image === "") throw new Error("the operator is not installed");
  return image;
}

/** Uninstalls the operator as the documentation says; mocks and their resource stay. Waits until its namespace is gone. */
export async function uninstall(): Promise<void> {
  await functionsAsleep();
  await kubectl(["delete", "-k", join(checkout, "knative/operator"), "--ignore-not-found"]);
}

/** Installs this checkout's manifests, the resource too, with an image that is in the registry, and waits until each part is Ready. */
export async function install(image: string): Promise<void> {
  const manifests = await kubectl(["kustomize", join(checkout, "knative")]);
  const placed = manifests.replace(/^([ -]*(?:image|value): )apirator$/gm, `$1${image}`);
  await kubectl(["apply", "--server-side", "--force-conflicts", "-f", "-"], placed);
  for (const part of [
    "ksvc/reconcile",
    "ksvc/resync",
    "broker/apirator",
    "trigger/reconcile",
    "apiserversource/apirator",
    "pingsource/resync",
  ]) {
    const [kind = "", name = ""] = part.split("/");
    await until(
      `${part} Ready`,
      180,
      async () => await get(kind, system, name),
      (object) => condition(object, "Ready")?.status === "True",
    );
  }
}

let sent = 0;

/** Sends a resync at once, as the documentation says, and waits until it went through. */
export async function resyncNow(seconds = 120): Promise<void> {
  const name = `resync-${Date.now()}-${(sent += 1)}`;
  await kubectl(["create", "job", name, "--from=cronjob/resync-now", "--namespace", system]);
  await until(
    `job ${name} complete`,
    seconds,
    async () => await get("job", system, name),
    ({ status }) => (status?.succeeded ?? 0) > 0,
  );
}
