import { expect, test } from "vitest";
import type { KubeObject } from "../../lib/cluster/cluster.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import { createDeployments } from "../../lib/embedded/deployments.ts";
import { createMemoryCluster } from "../../lib/embedded/memory.ts";
import { noLog } from "../../lib/log.ts";
import { definitionFile } from "../../lib/names.ts";

const key = { namespace: "default", name: "bets" };

/** The Deployment controller on an empty cluster; a mock answers the text of its ConfigMap, and does not start where that is "broken". */
function installed() {
  let uids = 0;
  const memory = createMemoryCluster({
    crds: [],
    now: () => new Date("2030-01-01T00:00:00Z"),
    uid: () => `uid-${(uids += 1)}`,
  });
  const deployments = createDeployments({
    memory,
    now: () => new Date("2030-01-01T00:00:00Z"),
    log: noLog,
    start: async (bytes) => {
      const text = new TextDecoder().decode(bytes);
      if (text === "broken") throw new Error("definition cannot be read");
      return { fetch: () => new Response(text) };
    },
  });
  const user = memory.as("apirator");
  const call = async () => (await deployments.fetch(key, new Request("http://x/"), {}))?.text();
  const conditions = async () => {
    await deployments.settled();
    const status = (await user.get(kinds.deployment, key))?.["status"] as {
      conditions: { type: string; status: string; message?: string }[];
    };
    return status.conditions.map(({ type, status, message = "" }) =>
      `${type} ${status} ${message}`.trim(),
    );
  };
  return { user, call, conditions, deployments };
}

const configMap = (name: string, text: string): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default" },
  binaryData: { [definitionFile]: btoa(text) },
});

const deployment = (mounts: string): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: key,
  spec: {
    selector: { matchLabels: { app: "bets" } },
    template: {
      metadata: { labels: { app: "bets" } },
      spec: {
        containers: [{ name: "mock", image: "apirator" }],
        volumes: [{ name: "definition", configMap: { name: mounts } }],
      },
    },
  },
});

test("a Deployment whose mock starts is available and answers; a new template replaces it", async () => {
  const { user, call, conditions } = installed();
  await user.apply(configMap("bets-a", "one"));
  await user.apply(configMap("bets-b", "two"));
  await user.apply(deployment("bets-a"));
  expect(await conditions()).toEqual(["Available True", "Progressing True"]);
  expect(await call()).toBe("one");
  await user.apply(deployment("bets-b"));
  expect(await conditions()).toEqual(["Available True", "Progressing True"]);
  expect(await call()).toBe("two");
});

test("a template that does not start leaves the old pod answering, and starts when its ConfigMap comes", async () => {
  const { user, call, conditions } = installed();
  await user.apply(configMap("bets-a", "one"));
  await user.apply(deployment("bets-a"));
  await user.apply(configMap("bets-b", "broken"));
  await conditions();
  await user.apply(deployment("bets-b"));
  expect(await conditions()).toEqual([
    "Available True",
    "Progressing False definition cannot be read",
  ]);
  expect(await call()).toBe("one");
  await user.apply(deployment("bets-c"));
  expect(await conditions()).toEqual([
    "Available True",
    'Progressing False configmap "bets-c" not found',
  ]);
  await user.apply(configMap("bets-c", "three"));
  expect(await conditions()).toEqual(["Available True", "Progressing True"]);
  expect(await call()).toBe("three");
});

test("a Deployment that never started is not available, one that is removed answers no more", async () => {
  const { user, call, conditions, deployments } = installed();
  await user.apply(deployment("bets-a"));
  expect(await conditions()).toEqual([
    "Available False",
    'Progressing False configmap "bets-a" not found',
  ]);
  await user.apply(configMap("bets-a", "one"));
  await deployments.settled();
  expect(await call()).toBe("one");
  await user.remove(kinds.deployment, key, {});
  await deployments.settled();
  expect(await call()).toBeUndefined();
});
