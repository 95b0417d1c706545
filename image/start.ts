import { createRequire } from "node:module";

// The image's entry: its argument is the function's name. The functions lie beside it.
const functions = ["reconcile", "resync", "mock"];
const [name = ""] = process.argv.slice(2);
if (functions.includes(name)) {
  createRequire(import.meta.url)(`./${name}.cjs`);
} else {
  process.stderr.write(
    `the argument is a function's name (${functions.join(", ")}), not "${name}"\n`,
  );
  process.exitCode = 2;
}
