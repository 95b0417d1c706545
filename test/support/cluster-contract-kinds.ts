import { describe, expect, test } from "vitest";
import { kinds } from "../../lib/cluster/kinds.ts";
import type { Ground } from "./cluster-contract-world.ts";
import { configMapOf, failureOf, leftOf, keyOf } from "./cluster-contract-world.ts";

/** What single kinds are like: ConfigMaps, Deployments and Services; and kinds that are not served. */
export function kindsContract(ground: Ground): void {
  describe("ConfigMaps", () => {
    test("the data of an immutable one cannot change", async () => {
      const map = configMapOf(ground, ground.name(), {
        fields: { immutable: true, binaryData: { "a.gz": "AAAA" } },
      });
      const made = await ground.cluster.apply(map);
      for (const change of [
        { binaryData: { "a.gz": "BBBB" } },
        { data: { b: "" } },
        { immutable: false },
      ]) {
        const error = await failureOf(ground.cluster.apply({ ...map, ...change }));
        expect(error).toMatchObject({ status: 422, class: "invalid" });
        expect(error.detail).toContain("immutable");
      }
      expect(await ground.cluster.get(kinds.configMap, keyOf(map))).toEqual(made);
    });

    test("an immutable one can be labelled, and removed", async () => {
      const map = configMapOf(ground, ground.name(), { fields: { immutable: true } });
      await ground.cluster.apply(map);
      const labels = { a: "1" };
      const applied = await ground.cluster.apply({ ...map, metadata: { ...map.metadata, labels } });
      expect(applied.metadata.labels).toEqual(labels);
      await ground.cluster.remove(kinds.configMap, keyOf(map), {});
      expect(await leftOf(ground.cluster, kinds.configMap, keyOf(map))).toBeUndefined();
    });

    test("values over 1 MiB are refused", async () => {
      const data = { a: "x".repeat(1024 * 1024 + 1) };
      const map = configMapOf(ground, ground.name(), { fields: { data } });
      const error = await failureOf(ground.cluster.apply(map));
      expect(error).toMatchObject({ status: 422, class: "invalid" });
      expect(error.detail).toContain("may not be more than 1048576 bytes");
    });

    test("a key with a slash is refused", async () => {
      const map = configMapOf(ground, ground.name(), { fields: { data: { "a/b": "" } } });
      expect(await failureOf(ground.cluster.apply(map))).toMatchObject({ status: 422 });
    });
  });

  describe("other kinds", () => {
    test("a kind that is not served is absent, and listing it says so", async () => {
      const kind = { apiVersion: "example.com/v1", kind: "Nothing", plural: "nothings" };
      const key = { namespace: ground.namespace, name: "any" };
      expect(await ground.cluster.get(kind, key)).toBeUndefined();
      await ground.cluster.remove(kind, key, {});
      const call = ground.cluster.list(kind, { namespace: ground.namespace });
      expect(await failureOf(call)).toMatchObject({ class: "unknown-kind" });
    });

    test("a Deployment applied again, without the fields that the server set, changes nothing", async () => {
      const deployment = deploymentOf(ground, ground.name());
      const first = await ground.cluster.apply(deployment);
      expect(first["spec"]).toMatchObject({
        strategy: { type: "RollingUpdate" },
        template: {
          spec: { restartPolicy: "Always", containers: [{ imagePullPolicy: "Always" }] },
        },
      });
      const again = await ground.cluster.apply(deployment);
      expect(again.metadata.generation).toBe(first.metadata.generation);
      expect(again["spec"]).toEqual(first["spec"]);
    });

    test("a Deployment's annotations count as a generation like its spec", async () => {
      const deployment = deploymentOf(ground, ground.name());
      const made = await ground.cluster.apply(deployment);
      const noted = await ground
        .as("deployment-controller")
        .patch(kinds.deployment, keyOf(made), [
          { op: "add", path: "/metadata/annotations", value: { "example.com/revision": "1" } },
        ]);
      expect(noted.metadata.generation).toBe((made.metadata.generation ?? 0) + 1);
      const labels = { ...deployment.metadata, labels: { a: "1" } };
      const labelled = await ground.cluster.apply({ ...deployment, metadata: labels });
      expect(labelled.metadata.generation).toBe(noted.metadata.generation);
    });

    test("a Service gets an address, and keeps it", async () => {
      const service = (port: number) => ({
        apiVersion: "v1",
        kind: "Service",
        metadata: { namespace: ground.namespace, name },
        spec: { selector: { app: name }, ports: [{ name: "http", port, targetPort: 8080 }] },
      });
      const name = ground.name();
      const first = (await ground.cluster.apply(service(80)))["spec"] as ServiceSpec;
      expect(first.clusterIP).toMatch(/^[\d.:a-f]+$/);
      const second = (await ground.cluster.apply(service(81)))["spec"] as ServiceSpec;
      expect(second.clusterIP).toBe(first.clusterIP);
      expect(second.ports.map(({ port, protocol }) => [port, protocol])).toEqual([[81, "TCP"]]);
    });

    test.for(["1st", "has.dots"])("a Service cannot be called %s", async (name) => {
      const service = {
        apiVersion: "v1",
        kind: "Service",
        metadata: { namespace: ground.namespace, name },
        spec: { ports: [{ port: 80 }] },
      };
      expect(await failureOf(ground.cluster.apply(service))).toMatchObject({ class: "invalid" });
    });
  });
}

/** Knative Serving's kinds: what its webhook fills in and refuses. */
export function knativeContract(ground: Ground): void {
  describe("Knative", () => {
    test("a KService is defaulted, and the same apply again changes no spec", async () => {
      const name = ground.name();
      const first = await ground.cluster.apply(
        kserviceOf(ground, name, { image: "dev.local/mock-a:1" }),
      );
      expect(first["spec"]).toMatchObject({
        template: {
          spec: {
            containerConcurrency: 0,
            timeoutSeconds: 300,
            enableServiceLinks: false,
            containers: [
              {
                image: "dev.local/mock-a:1",
                readinessProbe: { successThreshold: 1, tcpSocket: { port: 0 } },
              },
            ],
          },
        },
        traffic: [{ latestRevision: true, percent: 100 }],
      });
      expect(first.metadata.annotations).toHaveProperty(["serving.knative.dev/creator"]);
      const again = await ground.cluster.apply(
        kserviceOf(ground, name, { image: "dev.local/mock-a:1" }),
      );
      expect(again["spec"]).toEqual(first["spec"]);
      expect(again.metadata.generation).toBe(1);
    });

    test("containers of a KService are replaced whole", async () => {
      const name = ground.name();
      const env = (name: string) => ({ image: "dev.local/mock-a:1", env: [{ name, value: "1" }] });
      await ground.as("kubectl").apply(kserviceOf(ground, name, env("A")));
      const applied = await ground.cluster.apply(kserviceOf(ground, name, env("B")));
      const spec = applied["spec"] as { template: { spec: { containers: unknown[] } } };
      expect(spec.template.spec.containers).toHaveLength(1);
      expect(spec.template.spec.containers[0]).toMatchObject({ env: [{ name: "B" }] });
    });

    test.for(["1st", "has.dots", "long".repeat(16)])(
      "a KService cannot be called %s",
      async (name) => {
        const call = ground.cluster.apply(
          kserviceOf(ground, name, { image: "dev.local/mock-a:1" }),
        );
        expect(await failureOf(call)).toMatchObject({ class: "invalid" });
      },
    );
  });
}

interface ServiceSpec {
  readonly clusterIP: string;
  readonly ports: readonly { port: number; protocol: string }[];
}

function deploymentOf(ground: Ground, name: string) {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace: ground.namespace, name },
    spec: {
      replicas: 0,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "mock", image: "mock" }] } },
    },
  };
}

function kserviceOf(ground: Ground, name: string, container: object) {
  return {
    apiVersion: "serving.knative.dev/v1",
    kind: "Service",
    metadata: { namespace: ground.namespace, name },
    spec: { template: { spec: { containers: [container] } } },
  };
}
