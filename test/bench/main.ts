import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { emptyApiServer } from "./api-server.ts";
import { cold } from "./cold.ts";
import { holds, table, type Measure } from "./measure.ts";
import { functionPairs, mockPairs, prepareMock, races } from "./plans.ts";
import { throughput } from "./throughput.ts";

const usage = `npm run bench -- [--json] [--assert] [--rounds N] [cold] [load]

Speed and memory as ratios within one run, medians of N alternating rounds (11): against bare node:http that makes the same
calls and reads, and against the fastest mock servers on Node. Everything talks to loopback alone.

  cold      only spawn to first answer, and memory after it
  load      only requests per second (installs the peers into test/bench/peers once)
  --json    the figures as JSON
  --assert  exit 1 where a budget does not hold`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: "boolean" },
    json: { type: "boolean" },
    assert: { type: "boolean" },
    rounds: { type: "string", default: "11" },
  },
});

const say = (line: string) => process.stderr.write(`${line}\n`);
const wants = (part: string) => positionals.length === 0 || positionals.includes(part);

async function run(folder: string): Promise<Measure[]> {
  const rounds = Number(values.rounds);
  const measures: Measure[] = [];
  if (!existsSync("dist/mock.cjs")) execFileSync("npm", ["run", "build"], { stdio: "inherit" });
  const mock = prepareMock(folder);
  if (wants("cold")) {
    const api = await emptyApiServer(folder);
    try {
      for (const pair of [...(await functionPairs(api)), ...(await mockPairs(mock))]) {
        say(`cold: ${pair.name}, ${rounds} rounds`);
        measures.push(...(await cold(pair, rounds)));
      }
    } finally {
      api.close();
    }
  }
  if (wants("load")) {
    const peers = "test/bench/peers";
    if (!existsSync(`${peers}/node_modules`)) {
      say("load: installing the peers");
      execFileSync(
        "npm",
        [
          "ci",
          "--prefix",
          peers,
          "--ignore-scripts",
          "--no-audit",
          "--no-fund",
          "--loglevel=error",
        ],
        { stdio: "inherit" },
      );
    }
    say(`load: ${rounds} rounds`);
    measures.push(...(await throughput(...(await races(mock)), rounds)));
  }
  return measures;
}

if (values.help === true) {
  process.stdout.write(`${usage}\n`);
} else {
  const folder = mkdtempSync(join(tmpdir(), "apirator-bench-"));
  try {
    const measures = await run(folder);
    process.stdout.write(
      values.json === true ? `${JSON.stringify(measures, null, 2)}\n` : `${table(measures)}\n`,
    );
    const broken = measures.filter((measure) => !holds(measure));
    if (values.assert === true && broken.length > 0) {
      say(`${broken.length} of ${measures.length} budgets do not hold`);
      process.exitCode = 1;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
