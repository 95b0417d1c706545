import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { watchedResources } from "../../cli/watched.ts";
import { readRecording } from "../../cli/recording.ts";
import { eventually } from "./run.ts";
import { anonymised, anonymiser } from "./support/anonymise.ts";
import { kubectl } from "./support/kube.ts";
import { condition, ownNamespace, ready } from "./support/mocks.ts";
import { sourcesAwake, startSenders, tapReferences, untapReferences } from "./support/senders.ts";
import { attribute, type RecordedRequest, type Sink, startSink } from "./support/sink.ts";
import { get, until } from "./support/kube.ts";

/**
 * What the real sources send while mocks are applied, changed and deleted, beside what they sent when `test/fixtures/events` was recorded, by which the
 * suites without a cluster test. `RECORD=1 npm run test:cluster -- record` writes the recording anew.
 */
const folder = "test/fixtures/events";
const files = {
  references: "references.ndjson",
  resources: "resources.ndjson",
  pings: "pings.ndjson",
} as const;
type Channel = keyof typeof files;
const namespace = ownNamespace("record");
let sink: Sink;
const today: Record<Channel, readonly RecordedRequest[]> = {
  references: [],
  resources: [],
  pings: [],
};

beforeAll(async () => {
  sink = await startSink();
  await tapReferences(namespace, sink);
  await startSenders(namespace, sink, watchedResources);
  await sourcesAwake(namespace, sink, ["references", "resources"]);
  const began = Date.now();
  await examples("bets");
  await ready(namespace, "bets");
  await examples("typo");
  await until(
    "typo refused",
    60,
    async () => await get("apimock", namespace, "typo"),
    (mock) => condition(mock, "Ready")?.reason === "DefinitionRefused",
  );
  await examples("weather");
  await ready(namespace, "weather");
  await examples("bets", (text) => text.replace("title: Bets", "title: Better Bets"));
  await ready(namespace, "bets");
  const world = await kubectl(["get", "apimocks", "--namespace", namespace, "--output", "yaml"]);
  await kubectl(["delete", "apimock", "weather", "--namespace", namespace]);
  await eventually("everything of weather is deleted", 60, () =>
    Promise.resolve(
      ["references", "resources"].every((channel) => deleted(sink.received(channel)) >= 3)
        ? true
        : undefined,
    ),
  );
  await eventually("a ping", 30, () =>
    Promise.resolve(sink.received("pings").length > 0 ? true : undefined),
  );
  const requests = {
    references: sink.received("references"),
    resources: sink.received("resources"),
    pings: sink.received("pings").slice(0, 1),
  };
  const texts = Object.values(requests).flatMap((list) =>
    list.map((each) => JSON.stringify(each.headers) + each.body),
  );
  const replace = anonymiser([...texts, world], { namespace, began });
  for (const channel of ["references", "resources", "pings"] as const)
    today[channel] = requests[channel].map((request) => anonymised(request, replace));
  if (process.env["RECORD"] !== undefined) write(replace(world));
}, 240_000);

afterAll(async () => {
  await untapReferences(namespace);
  sink.close();
});

async function examples(name: string, change = (text: string) => text): Promise<void> {
  const text = change(readFileSync(join("examples", `${name}.yaml`), "utf8"));
  await kubectl(["apply", "--server-side", "--namespace", namespace, "-f", "-"], text);
}

function deleted(requests: readonly RecordedRequest[]): number {
  return requests.filter((request) => attribute(request, "type").endsWith(".delete")).length;
}

function write(world: string): void {
  for (const channel of ["references", "resources", "pings"] as const)
    writeFileSync(
      join(folder, files[channel]),
      today[channel].map((request) => `${JSON.stringify(request)}\n`).join(""),
    );
  writeFileSync(join(folder, "world.yaml"), world);
  const [reference] = today.references;
  writeFileSync(join(folder, "request.json"), `${JSON.stringify(reference, undefined, 2)}\n`);
  const bets = readRecording(
    today.resources.map((each) => JSON.stringify(each)).join("\n"),
  ).events.filter((event) => event["kind"] === "APIMock" && event["name"] === "bets");
  writeFileSync(join(folder, "bets.json"), `${JSON.stringify(bets.slice(0, 2), undefined, 2)}\n`);
}

/** Answers the recording of a channel. */
function recorded(channel: Channel): RecordedRequest[] {
  return readFileSync(join(folder, files[channel]), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as RecordedRequest);
}

/** A compiled definition's hash is another one with each version of the compiler. */
function withoutHash(text: string): string {
  return text.replaceAll(/-[0-9a-f]{10}\b/g, "-HASH");
}

/** What all events of a type and a kind have in common: header names, the values that say what sort of event it is, the paths of the body. */
function shapes(requests: readonly RecordedRequest[]): Record<string, unknown> {
  const by = Map.groupBy(requests, (request) =>
    `${attribute(request, "type")} ${attribute(request, "apiversion")} ${attribute(request, "kind")}`.trim(),
  );
  const pairs = [...by].map(([name, group]) => [
    name,
    {
      headers: unique(group.flatMap(({ headers }) => Object.keys(headers))),
      // An API server's address is each cluster's own.
      sources: unique(
        group.map((each) => attribute(each, "source").replace(/^https:.*/, "https:")),
      ),
      subjects: unique(group.map((request) => withoutHash(attribute(request, "subject")))),
      versions: unique(group.map((request) => attribute(request, "specversion"))),
      body: unique(group.flatMap(({ body }) => pathsOf(JSON.parse(body) as object))),
    },
  ]);
  return Object.fromEntries(pairs) as Record<string, unknown>;
}

/** Answers the members of the body, and of its metadata. */
function pathsOf(body: object): string[] {
  const { metadata = {} } = body as { metadata?: object };
  return [...Object.keys(body), ...Object.keys(metadata).map((name) => `metadata.${name}`)];
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted();
}

test.for(["references", "resources", "pings"] as const)(
  "%s have the attributes, types and shape of the recording",
  (channel) => {
    expect(today[channel].length).toBeGreaterThan(0);
    expect(shapes(today[channel])).toEqual(shapes(recorded(channel)));
  },
);

test("references say the same of each object as the recording", () => {
  const said = (requests: readonly RecordedRequest[]) =>
    unique(requests.map((request) => `${attribute(request, "type")} ${withoutHash(request.body)}`));
  expect(said(today.references)).toEqual(said(recorded("references")));
});

test("each event comes in binary mode", () => {
  for (const request of Object.values(today).flat()) {
    expect(attribute(request, "id")).not.toBe("");
    expect(request.headers["Content-Type"]).toBe("application/json");
  }
});
