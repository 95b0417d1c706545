import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "./run.ts";
import { type AuditedCall, auditedCalls, writesOf } from "./support/audit.ts";
import { apply, get, kubectl, list, until } from "./support/kube.ts";
import { condition, definition, mockOf, ownNamespace, serves } from "./support/mocks.ts";
import { type Sink, startSink } from "./support/sink.ts";
import { sourceAwake } from "./support/source.ts";

const namespace = ownNamespace("many");
const system = "apirator-system";
const names = Array.from({ length: 30 }, (_, index) => `pets-${index}`);
let sink: Sink;

/** Lets the operator's Broker send dead letters to an address, none for null, and waits until its Trigger does. */
async function deadLettersTo(uri: string | null): Promise<void> {
  const deadLetterSink = uri === null ? null : { uri };
  const patch = JSON.stringify({ spec: { delivery: { deadLetterSink } } });
  await kubectl(["patch", "broker/apirator", "-n", system, "--type=merge", "--patch", patch]);
  await until(
    "the Trigger sends its dead letters there",
    60,
    async () => await get("trigger", system, "reconcile"),
    (trigger) =>
      condition(trigger, "Ready")?.status === "True" &&
      (uri === null || JSON.stringify(trigger.status).includes(uri)),
  );
}

beforeAll(async () => {
  sink = await startSink();
  await deadLettersTo(sink.url("dead"));
  await sourceAwake(namespace);
});

afterAll(async () => {
  await deadLettersTo(null);
  sink.close();
  await kubectl(["delete", "apimocks", "--all", "--namespace", namespace]);
});

async function applyAll(version: string): Promise<void> {
  await apply(names.map((name) => mockOf(namespace, name, { definition: definition(version) })));
}

/** Waits until every mock is Ready for its present generation. */
async function allReady(seconds: number): Promise<void> {
  await eventually(`${names.length} mocks Ready`, seconds, async () => {
    const settled = (await list("apimock", namespace)).filter(
      (mock) =>
        mock.status?.observedGeneration === mock.metadata.generation &&
        condition(mock, "Ready")?.status === "True",
    );
    if (settled.length === names.length) return true;
    throw new Error(`${settled.length} are`);
  });
}

/** Answers how often each mock's objects were written, as `RESOURCE VERB`. What was refused (an old resourceVersion, 409) changed nothing. */
function writesPerMock(since: number): Map<string, Record<string, number>> {
  const counted = new Map<string, Record<string, number>>();
  for (const call of writesOf(auditedCalls(since))) {
    if (call.namespace !== namespace || call.status >= 300) continue;
    const mock = mockNamed(call);
    const counts = counted.get(mock) ?? {};
    counted.set(mock, counts);
    const what = `${call.resource} ${call.verb}`;
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counted;
}

function mockNamed({ name }: AuditedCall): string {
  return /^pets-\d+/.exec(name)?.[0] ?? name;
}

/**
 * Answers which mocks were written otherwise than by the rule that only what differs is written. For each apply or edit: its compiled definition once
 * and its workload once. Its status when the work begins, when the workload says something new about its Revision and its route, and when it is Ready:
 * two to five times. An Event where Ready's reason changes, at most four, each of two writes: it is made, and given its count.
 */
function writtenOtherwise(since: number): object[] {
  const counted = writesPerMock(since);
  const unknown = [...counted.keys()].filter((name) => !names.includes(name));
  const wrong = names.flatMap((name) => {
    const counts = counted.get(name) ?? {};
    const {
      "configmaps patch": definitions,
      "services.serving.knative.dev patch": workloads,
      "apimocks.apirator.io/status patch": statuses = 0,
      "events patch": events = 0,
      ...others
    } = counts;
    const once = definitions === 1 && workloads === 1 && Object.keys(others).length === 0;
    return once && statuses >= 2 && statuses <= 5 && events <= 8 ? [] : [{ name, ...counts }];
  });
  return [...wrong, ...unknown.map((name) => ({ name, ...counted.get(name) }))];
}

test("30 mocks that are applied at once become Ready, each by few writes", async () => {
  const start = Date.now();
  await applyAll("1");
  await allReady(240);
  expect(writtenOtherwise(start)).toEqual([]);
});

test("30 mocks that are edited at once all serve the new version, each by few writes", async () => {
  const start = Date.now();
  await applyAll("2");
  await allReady(240);
  for (const name of names) await serves(`http://${name}.${namespace}.svc.cluster.local`, "2", 60);
  expect(writtenOtherwise(start)).toEqual([]);
});

test("no event about 30 mocks at once was given up", () => {
  expect(sink.received("dead")).toEqual([]);
});
