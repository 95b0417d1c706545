import { defineConfig } from "vitest/config";
import { caseFiles } from "./test/support/case-plugin.ts";

export default defineConfig({
  test: {
    dangerouslyIgnoreUnhandledErrors: false,
    // One fewer than there are cores is the default: half of a small machine.
    maxWorkers: "100%",
    reporters: [["default", { summary: false }], "./test/support/closing-line.ts"],
    projects: [
      {
        test: {
          name: "code",
          include: ["test/{unit,integration}/**/*.test.ts"],
          globalSetup: ["./test/support/built-package.ts"],
          // Tests share no state, and loading the same modules for each file took as long as running them.
          isolate: false,
          // Properties and child processes share two cores with everything else.
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        plugins: [caseFiles()],
        test: {
          name: "cases",
          include: ["test/cases/**/*.yaml"],
          // A case shares nothing with another but the code it runs.
          isolate: false,
          testTimeout: 30_000,
        },
      },
    ],
  },
});
