import type { Reporter, TestModule } from "vitest/node";

/**
 * Prints the one line that scripts read, last and alone: `412 passed, 0 failed`, with `, 3 skipped` where some were.
 * A module that could not be loaded counts as one failed test, so that a broken import never looks green.
 */
export default class ClosingLine implements Reporter {
  /** Called once by vitest when all is done; writes to standard output after the default report. */
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const counts = { passed: 0, failed: unhandled.length, skipped: 0 };
    for (const module of modules) {
      if (module.errors().length > 0) counts.failed += 1;
      for (const test of module.children.allTests()) {
        const state = test.result().state;
        if (state !== "pending") counts[state] += 1;
      }
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
    // After the default reporter's own closing block, which it writes in the same hook.
    process.once("exit", () => {
      process.stdout.write(`${counts.passed} passed, ${counts.failed} failed${skipped}\n`);
    });
  }
}
