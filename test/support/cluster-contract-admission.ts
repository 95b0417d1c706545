import { describe, expect, test } from "vitest";
import { kinds } from "../../lib/cluster/kinds.ts";
import type { Ground } from "./cluster-contract-world.ts";
import { failureOf, keyOf, mockOf } from "./cluster-contract-world.ts";

const definition = "openapi: 3.1.0";

/** What is let in of the APIMock by its CRD: defaults, the schema, CEL rules. */
export function admissionContract(ground: Ground): void {
  describe("admission", () => {
    test("defaults are filled in", async () => {
      const { spec } = await ground.cluster.apply(mockOf(ground, ground.name()));
      expect(spec).toEqual({
        definition,
        watch: true,
        service: { port: 8000, type: "ClusterIP" },
        runtime: "Knative",
        scale: { min: 0, max: 0 },
        mock: { validate: "Enforce", dynamic: false, seed: "", cors: true },
      });
    });

    test.for<[why: string, spec: object, message: string]>([
      ["no definition", {}, "set spec.definition"],
      [
        "two definitions",
        { definition, definitionFrom: { configMapKeyRef: { name: "a", key: "b" } } },
        "a mock has one definition",
      ],
      ["an empty definition", { definition: "" }, "spec.definition: Invalid value"],
      [
        "a reference without a key",
        { definitionFrom: { configMapKeyRef: { name: "a" } } },
        "spec.definitionFrom.configMapKeyRef.key: Required value",
      ],
      [
        "a port out of range",
        { definition, service: { port: 70_000 } },
        "spec.service.port: Invalid value: 70000: spec.service.port in body should be less than or equal to 65535",
      ],
      [
        "an unknown runtime",
        { definition, runtime: "Docker" },
        'spec.runtime: Unsupported value: "Docker": supported values: "Knative", "Deployment"',
      ],
      [
        "fewer instances at most than at least",
        { definition, scale: { min: 3, max: 2 } },
        "raise spec.scale.max",
      ],
    ])("%s is refused", async ([, spec, message]) => {
      const mock = mockOf(ground, ground.name(), { spec });
      const error = await failureOf(ground.cluster.apply(mock));
      expect(error).toMatchObject({ status: 422, reason: "Invalid", class: "invalid" });
      expect(error.detail).toContain(message);
      expect(await ground.cluster.get(kinds.apimock, keyOf(mock))).toBeUndefined();
    });

    // With which status differs: a real server finds it while it merges, before the schema is asked.
    test.for<[why: string, spec: object]>([
      ["a text for a number", { definition, service: { port: "80" } }],
      ["a number for a text", { definition, service: { annotations: { a: 1 } } }],
      ["a list for an object", { definition, mock: [] }],
    ])("%s is refused", async ([, spec]) => {
      const mock = mockOf(ground, ground.name(), { spec });
      expect((await failureOf(ground.cluster.apply(mock))).status).toBeGreaterThanOrEqual(400);
      expect(await ground.cluster.get(kinds.apimock, keyOf(mock))).toBeUndefined();
    });

    test("a field that the schema does not know is refused", async () => {
      const mock = mockOf(ground, ground.name(), { spec: { definition, mock: { cros: true } } });
      const error = await failureOf(ground.cluster.apply(mock));
      expect(error.detail).toContain("cros");
      expect(await ground.cluster.get(kinds.apimock, keyOf(mock))).toBeUndefined();
    });

    test("a refused change leaves the object as it was", async () => {
      const mock = mockOf(ground, ground.name());
      const before = await ground.cluster.apply(mock);
      const spec = { definition, service: { port: 0 } };
      await failureOf(ground.cluster.apply({ ...mock, spec }));
      expect(await ground.cluster.get(kinds.apimock, keyOf(mock))).toEqual(before);
    });

    test.for(["1-begins-with-a-digit", "has.dots", "long".repeat(16)])(
      "the name %s is refused: no Service can be called so",
      async (name) => {
        const error = await failureOf(ground.cluster.apply(mockOf(ground, name)));
        expect(error).toMatchObject({ status: 422, class: "invalid" });
        expect(error.detail).toContain("rename it");
      },
    );

    test.for(["UpperCase", "under_score", "-dash"])(
      "the name %s is refused: no object can be called so",
      async (name) => {
        const error = await failureOf(ground.cluster.apply(mockOf(ground, name)));
        expect(error).toMatchObject({ status: 422, class: "invalid" });
        expect(error.detail).toContain("metadata.name");
      },
    );

    test("a label value over 63 characters is refused", async () => {
      const metadata = { labels: { a: "x".repeat(64) } };
      const call = ground.cluster.apply(mockOf(ground, ground.name(), { metadata }));
      expect(await failureOf(call)).toMatchObject({ status: 422, class: "invalid" });
    });

    test("an object over the size that the store takes is refused", async () => {
      const spec = { definition: "x".repeat(1.6 * 1024 * 1024) };
      const mock = mockOf(ground, ground.name(), { spec });
      await failureOf(ground.cluster.apply(mock));
      expect(await ground.cluster.get(kinds.apimock, keyOf(mock))).toBeUndefined();
    });
  });
}
