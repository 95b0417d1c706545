import { expect, test } from "vitest";
import { eventually } from "./run.ts";
import { auditedCalls } from "./support/audit.ts";
import { get, kubectl, list, type Seen, until } from "./support/kube.ts";
import { resyncNow } from "./support/operator.ts";
import { functionsAsleep, skaffoldRun } from "./support/skaffold.ts";

const system = "apirator-system";
/** Everything of the operator that has conditions, as kubectl names it. */
const parts = [
  "ksvc/reconcile",
  "ksvc/resync",
  "broker/apirator",
  "trigger/reconcile",
  "apiserversource/apirator",
  "pingsource/resync",
] as const;

async function part(named: string): Promise<Seen | undefined> {
  const [kind = "", name = ""] = named.split("/");
  return await get(kind, system, name);
}

test("skaffold run builds the image, installs the operator, and every condition becomes True", async () => {
  const output = await skaffoldRun();
  expect(output).toMatch(/apirator -> \S+@sha256:[0-9a-f]{64}/);
  for (const named of parts) {
    const object = await until(
      `${named} Ready`,
      120,
      async () => await part(named),
      ({ status, metadata }) =>
        status?.observedGeneration === metadata.generation &&
        (status.conditions ?? []).every((each) => each.status === "True"),
    );
    expect(object.status?.conditions).not.toEqual([]);
  }
});

test("an install sends one resync, and it goes through", async () => {
  const before = (await list("job", system)).map((job) => job.metadata.name);
  await skaffoldRun();
  const sent = (await list("job", system)).filter((job) => !before.includes(job.metadata.name));
  expect(sent).toHaveLength(1);
  const name = sent[0]?.metadata.name ?? "";
  const job = await until(
    `job ${name} complete`,
    120,
    async () => await get("job", system, name),
    ({ status }) => (status?.succeeded ?? 0) > 0,
  );
  expect(job.status?.succeeded).toBe(1);
});

test("an install of what is installed makes no new Revision of a function", async () => {
  await skaffoldRun();
  const before = await Promise.all(["ksvc/reconcile", "ksvc/resync"].map(part));
  await skaffoldRun();
  const after = await Promise.all(["ksvc/reconcile", "ksvc/resync"].map(part));
  expect(after.map((each) => each?.metadata.generation)).toEqual(
    before.map((each) => each?.metadata.generation),
  );
});

test("the mocks' image is the one that was built, by digest", async () => {
  const image = "{.spec.template.spec.containers[0].image}";
  const variable = '{.spec.template.spec.containers[0].env[?(@.name=="MOCK_IMAGE")].value}';
  const output = await kubectl([
    "get",
    "ksvc",
    "--namespace",
    system,
    "--output",
    `jsonpath={range .items[*]}${image} ${variable}{"\\n"}{end}`,
  ]);
  const lines = output.trim().split("\n");
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).toMatch(/^(\S+@sha256:[0-9a-f]{64}) \1$/);
});

/** Waits until nothing of what ran before is on its way: a namespace that is being deleted takes its mocks along one by one, which wakes reconcile. */
async function settled(): Promise<void> {
  await eventually("every namespace Active", 600, async () => {
    const phases = await kubectl(["get", "namespaces", "--output", "jsonpath={.items[*].status.phase}"]); // oxfmt-ignore
    return phases.includes("Terminating") ? undefined : true;
  });
  await functionsAsleep();
}

test("a resync of settled mocks lists a few pages and wakes nothing", async () => {
  await settled();
  const mocks = (await kubectl(["get", "apimocks", "--all-namespaces", "--output", "name"])).split(
    "\n",
  ).length;
  const start = Date.now();
  await resyncNow();
  const calls = auditedCalls(start);
  const lists = calls.filter((call) => call.who === "resync");
  expect(lists.length).toBeGreaterThan(0);
  expect(lists.length).toBeLessThanOrEqual(6 * Math.ceil(mocks / 500) + 6);
  expect(lists.filter((call) => call.verb !== "list")).toEqual([]);
  expect(calls.filter((call) => call.who === "reconcile")).toEqual([]);
}, 900_000);
