import type { Compiler } from "../../lib/compiler/compilation.ts";
import { compileText } from "../../lib/compiler/compile-text.ts";

/** A compiler in the test's own process: the same results without the limits, and nothing to end. */
export const compilerHere: Compiler = {
  version: "test",
  compile: compileText,
  close: () => Promise.resolve(),
};
