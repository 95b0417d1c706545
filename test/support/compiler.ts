import type { Compilation, Compiler } from "../../lib/compiler/compilation.ts";
import { compileText } from "../../lib/compiler/compile-text.ts";

/** The same texts come again and again, and compile to the same. */
const compilations = new Map<string, Promise<Compilation>>();

/** A compiler in the test's own process: the same results without the limits, and nothing to end. */
export const compilerHere: Compiler = {
  version: "test",
  compile: (text) => {
    const known = compilations.get(text) ?? compileText(text);
    compilations.set(text, known);
    return known;
  },
  close: () => Promise.resolve(),
};
