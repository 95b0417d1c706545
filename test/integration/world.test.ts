import { expect, onTestFinished, test } from "vitest";
import { createConnectedWorld } from "../../cli/world.ts";
import type { APIMock } from "../../lib/apimock.ts";
import type { KubeObject } from "../../lib/cluster/cluster.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import { compilerHere } from "../support/compiler.ts";

const key = { namespace: "default", name: "shops" };

const apimock = (answer: string, more: object = {}): KubeObject => ({
  apiVersion: "apirator.io/v1alpha1",
  kind: "APIMock",
  metadata: key,
  spec: {
    definition: `openapi: 3.0.3\ninfo: {title: Shops, version: "1"}\npaths: {/shops: {get: {responses: {"200": {description: x, content: {application/json: {example: ${answer}}}}}}}}\n`,
    ...more,
  },
});

/** The whole operator on a cluster in memory, without a server. */
function operator() {
  const world = createConnectedWorld({
    compiler: compilerHere,
    url: ({ namespace, name }) => `http://gateway/${namespace}/${name}`,
  });
  onTestFinished(() => world.close());
  return {
    ...world,
    status: async () => ((await world.user.get(kinds.apimock, key)) as APIMock | undefined)?.status,
    call: async () =>
      (await world.fetch(key, new Request("http://gateway/"), { target: "/shops" }))?.text(),
    named: (kind: string) =>
      world.memory
        .objects()
        .filter((object) => object.kind === kind)
        .map(({ metadata }) => metadata.name),
  };
}

test("an applied mock comes to answer, and its status says where", async () => {
  const { user, settled, status, call } = operator();
  await user.apply(apimock("[1]"));
  await settled();
  expect(await status()).toMatchObject({
    phase: "Running",
    url: "http://gateway/default/shops",
    definition: { title: "Shops", operations: 1 },
  });
  expect(await call()).toBe("[1]");
});

test("a bad edit never takes a running mock down, and a good one replaces it", async () => {
  const { user, settled, status, call } = operator();
  await user.apply(apimock("[1]"));
  await settled();
  await user.apply(apimock("{$ref: }, schema: {$ref: '#/nowhere'}"));
  await settled();
  expect(await status()).toMatchObject({ phase: "Failed", definition: { operations: 1 } });
  expect(await call()).toBe("[1]");
  await user.apply(apimock("[2]"));
  await settled();
  expect(await status()).toMatchObject({ phase: "Running" });
  expect(await call()).toBe("[2]");
});

test("a deleted mock takes all that it made along", async () => {
  const { user, settled, call, memory } = operator();
  await user.apply(apimock("[1]"));
  await settled();
  await user.remove(kinds.apimock, key, {});
  await settled();
  expect(memory.objects().filter(({ kind }) => kind !== "Event")).toEqual([]);
  expect(await call()).toBeUndefined();
});

test("what somebody else deletes is made again", async () => {
  const { user, settled, call, named } = operator();
  await user.apply(apimock("[1]"));
  await settled();
  await user.remove(kinds.kservice, key, {});
  await settled();
  expect(named("Service")).toEqual(["shops"]);
  expect(await call()).toBe("[1]");
});

test("with the source switched off, ticks of the resync alone bring a mock to answer and follow its edits", async () => {
  const { user, settled, source, status, call, tick } = operator();
  source.stop();
  await user.apply(apimock("[1]"));
  await settled();
  expect(await status()).toBeUndefined();
  await tick();
  await settled();
  await tick();
  expect(await status()).toMatchObject({ phase: "Running" });
  expect(await call()).toBe("[1]");
  await user.apply(apimock("[2]"));
  await tick();
  await settled();
  await tick();
  expect(await status()).toMatchObject({ phase: "Running", observedGeneration: 2 });
  expect(await call()).toBe("[2]");
});

test("a world at rest stays so: a tick writes nothing", async () => {
  const { user, settled, memory, tick } = operator();
  await user.apply(apimock("[1]"));
  await settled();
  const before = JSON.stringify(memory.objects());
  await tick();
  await settled();
  expect(JSON.stringify(memory.objects())).toBe(before);
});

test("settings of the mock reach what answers", async () => {
  const { user, settled, fetch } = operator();
  await user.apply(apimock("[1]", { mock: { cors: false } }));
  await settled();
  const answer = await fetch(key, new Request("http://gateway/"), { target: "/shops" });
  expect(answer?.headers.get("access-control-allow-origin")).toBeNull();
});
