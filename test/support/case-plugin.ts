import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const runner = fileURLToPath(new URL("case-file.ts", import.meta.url));

/** Makes each `test/cases/**` YAML file a test of its own, so that `npm test -- cases/NAME` runs it alone. */
export function caseFiles(): Plugin {
  return {
    name: "apirator:case-files",
    enforce: "pre",
    transform: {
      filter: { id: /\/test\/cases\/.*\.yaml$/ },
      handler: (text) => ({
        code: `import { testCase } from ${JSON.stringify(runner)};\ntestCase(${JSON.stringify(text)});\n`,
        map: null,
      }),
    },
  };
}
