import { defineConfig } from "vitest/config";

/** The rig's own tests: they bring a cluster of their own up and down, beside the one that may be in use. */
export default defineConfig({
  test: {
    include: ["test/cluster/rig/*.test.ts"],
    env: { TEST_CLUSTER_NAME: "apirator-rig" },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    reporters: ["verbose", "./test/support/closing-line.ts"],
  },
});
