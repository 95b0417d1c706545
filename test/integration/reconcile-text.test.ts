import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { APIMock } from "../../lib/apimock.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import {
  definitionText,
  mockOf,
  postOf,
  referenceEvent,
  sharedConfigMap,
} from "../support/builders.ts";
import { createStage } from "../support/stage.ts";

const from = { definitionFrom: { configMapKeyRef: { name: "apis", key: "bets.json" } } };
const gzipped = (text: string | Buffer): string => gzipSync(text).toString("base64");
const secret = "s3cr3t-value";

test.for([
  { of: "plain text in data", content: { data: { "bets.json": definitionText("one") } } },
  {
    of: "bytes in binaryData",
    content: { binaryData: { "bets.json": Buffer.from(definitionText("one")).toString("base64") } },
  },
  {
    of: "gzip in binaryData",
    content: { binaryData: { "bets.json": gzipped(definitionText("one")) } },
  },
])(
  "a definition is read from $of of a shared ConfigMap, at five calls at rest",
  async ({ content }) => {
    const stage = createStage();
    await stage.user.apply(sharedConfigMap("apis", content));
    await stage.user.apply(mockOf("bets", from));
    await stage.settle("bets");
    expect((await stage.mock("bets"))?.status).toMatchObject({
      phase: "Running",
      definition: { title: "API of one" },
    });
    stage.calls.length = 0;
    await stage.reconcile("bets");
    expect(stage.calls).toHaveLength(5);
  },
);

test.for([
  { code: "configmap-not-found", when: "the ConfigMap is not there", configMap: undefined },
  {
    code: "not-shared",
    when: "the ConfigMap has no label",
    configMap: sharedConfigMap("apis", { data: { "bets.json": secret } }, {}),
  },
  {
    code: "not-shared",
    when: "the label says something else than true",
    configMap: sharedConfigMap(
      "apis",
      { data: { "hidden-key": secret } },
      { "apirator.io/definition": "no" },
    ),
  },
  {
    code: "key-not-found",
    when: "the key is not there",
    configMap: sharedConfigMap("apis", { data: { "hidden-key": secret } }),
  },
  {
    code: "unreadable-gzip",
    when: "gzip is cut off",
    configMap: sharedConfigMap("apis", {
      binaryData: {
        "bets.json": Buffer.from(gzipped(secret), "base64").subarray(0, 15).toString("base64"),
      },
    }),
  },
  {
    code: "too-large",
    when: "gzip unpacks to more than is read",
    configMap: sharedConfigMap("apis", {
      binaryData: { "bets.json": gzipped(Buffer.alloc(17 * 2 ** 20, secret)) },
    }),
  },
  {
    code: "not-utf8",
    when: "the bytes are no text",
    configMap: sharedConfigMap("apis", {
      binaryData: { "bets.json": Buffer.from([0xff, 0xfe, 0x41]).toString("base64") },
    }),
  },
] as const)("a reference is refused with $code where $when", async ({ code, configMap }) => {
  const stage = createStage();
  if (configMap !== undefined) await stage.user.apply(configMap);
  await stage.user.apply(mockOf("bets", from));
  expect(await stage.reconcile("bets")).toBe(204);
  const { status } = (await stage.mock("bets")) as APIMock;
  expect(status).toMatchObject({ phase: "Failed", findings: [{ severity: "error", code }] });
  expect(JSON.stringify(status)).toContain("apis");
  expect(JSON.stringify(status)).not.toContain(secret);
  expect(JSON.stringify(status)).not.toContain("hidden-key");
});

test("a shared ConfigMap that goes bad keeps the old answers, and is read again when it is well", async () => {
  const stage = createStage();
  const content = { data: { "bets.json": definitionText("one") } };
  await stage.user.apply(sharedConfigMap("apis", content));
  await stage.user.apply(mockOf("bets", from));
  await stage.settle("bets");
  await stage.user.apply(sharedConfigMap("apis", content, { "apirator.io/definition": "false" }));
  await stage.settle("bets");
  expect((await stage.mock("bets"))?.status).toMatchObject({
    phase: "Failed",
    definition: { title: "API of one" },
  });
  await stage.user.apply(sharedConfigMap("apis", content));
  await stage.settle("bets");
  expect((await stage.mock("bets"))?.status).toMatchObject({ phase: "Running" });
});

test("an event of a shared ConfigMap reaches every mock of its namespace that refers to it", async () => {
  const stage = createStage();
  await stage.user.apply(sharedConfigMap("apis", { data: { "bets.json": definitionText("one") } }));
  await stage.user.apply(mockOf("bets", from));
  await stage.user.apply(mockOf("more", from));
  await stage.user.apply(mockOf("else"));
  const event = referenceEvent({ ...kinds.configMap, namespace: "default", name: "apis" });
  expect((await stage.app.request(postOf(event))).status).toBe(204);
  expect((await stage.mock("bets"))?.status?.observedGeneration).toBe(1);
  expect((await stage.mock("more"))?.status?.observedGeneration).toBe(1);
  expect((await stage.mock("else"))?.status).toBeUndefined();
});

test("findings in a shared ConfigMap tell places and quote nothing", async () => {
  const stage = createStage();
  await stage.user.apply(
    sharedConfigMap("apis", {
      data: { "bets.json": `password: ${secret}\nopenapi: 3.0.3\n${secret}: 1\n` },
    }),
  );
  await stage.user.apply(mockOf("bets", from));
  await stage.reconcile("bets");
  const { status } = (await stage.mock("bets")) as APIMock;
  expect(status).toMatchObject({
    phase: "Failed",
    conditions: [{ reason: "DefinitionRefused" }, {}, {}],
  });
  expect(status?.findings?.length).toBeGreaterThan(0);
  for (const { message } of status?.findings ?? []) expect(message).not.toContain(secret);
  expect(JSON.stringify(status?.conditions)).not.toContain(secret);
});
