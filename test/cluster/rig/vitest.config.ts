import { defineConfig } from "vitest/config";

/** The rig's own tests: they bring the test cluster up and down, so nothing else may use it meanwhile. */
export default defineConfig({
  test: {
    include: ["test/cluster/rig/*.test.ts"],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    reporters: ["verbose", "./test/support/closing-line.ts"],
  },
});
