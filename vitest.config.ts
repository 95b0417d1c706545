import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/{unit,integration,cases}/**/*.test.ts"],
    dangerouslyIgnoreUnhandledErrors: false,
    reporters: [["default", { summary: false }], "./test/support/closing-line.ts"],
    // Properties and child processes share two cores with everything else.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
