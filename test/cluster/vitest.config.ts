import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files in the order of their names, so that a run is the same each time. */
class ByName extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(
      files.toSorted((one, other) => (one.moduleId < other.moduleId ? -1 : 1)),
    );
  }
}

/** The suites on a real cluster: one after the other, no retries; each test waits itself for what it promises. */
export default defineConfig({
  test: {
    include: ["test/cluster/*.test.ts"],
    globalSetup: ["test/cluster/support/installed.ts"],
    fileParallelism: false,
    sequence: { sequencer: ByName },
    testTimeout: 300_000,
    hookTimeout: 600_000,
    reporters: ["verbose", "./test/support/closing-line.ts"],
  },
});
