import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { emptyApiServer } from "./api-server.ts";
import { onCluster } from "./cluster.ts";
import { runOnTestCluster } from "./cluster-network.ts";
import { abandonStages } from "./cluster-stage.ts";
import { cold } from "./cold.ts";
import { holds, table, takeTwice, type Measure } from "./measure.ts";
import { functionPairs, mockPairs, prepareMock, races, type MockFiles } from "./plans.ts";
import { killAll, run } from "./process.ts";
import { throughput } from "./throughput.ts";

const usage = `npm run bench -- [--json] [--assert] [--rounds N] [cold] [load] [cluster]

Speed and memory as ratios within one run, medians of N alternating rounds (15): against bare node:http that makes the same
calls and reads, and against the fastest mock servers on Node. Everything talks to loopback alone. Measured is dist, as
\`npm run build\` made it, started as the image starts it. What breaks its budget is measured once more, which the table says.

  cold      only spawn to first answer, and memory after it
  load      only requests per second (installs the peers into test/bench/peers once)
  cluster   only on a real cluster with the operator: that of KUBECONFIG (with the audit log of the test cluster), else the
            test cluster that is up. Never unless it is named. Five rounds by default, of two to three minutes each: everything
            must go to zero twice a round
  --json    the figures as JSON
  --assert  exit 1 where a budget does not hold
  --rounds  how often everything is measured, an odd number

Figures of a busy machine are poor: end what else runs.`;

const parts = ["cold", "load", "cluster"];

interface Wish {
  readonly help: boolean;
  readonly json: boolean;
  readonly assert: boolean;
  readonly rounds: number;
  readonly wants: (part: string) => boolean;
}

/** A fault of whoever started the bench, or of the machine: one line says all. */
class BenchError extends Error {}

function wishOf(args: readonly string[]): Wish {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: "boolean", short: "h", default: false },
      json: { type: "boolean", default: false },
      assert: { type: "boolean", default: false },
      rounds: { type: "string" },
    },
  });
  const unknown = positionals.find((part) => !parts.includes(part));
  if (unknown !== undefined)
    throw new BenchError(`there is no part ${unknown}; parts are ${parts.join(", ")}`);
  const rounds = values.rounds ?? (positionals.includes("cluster") ? "5" : "15");
  if (!/^[1-9]\d{0,2}$/.test(rounds))
    throw new BenchError(`--rounds ${rounds} is no number from 1 to 999`);
  const { help, json, assert } = values;
  const wants = (part: string) =>
    positionals.includes(part) || (positionals.length === 0 && part !== "cluster");
  return { help, json, assert, rounds: Number(rounds), wants };
}

const say = (line: string) => process.stderr.write(`${line}\n`);

/** A line that the next one overwrites; none where nobody looks. */
function progress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${line}`);
}

async function measure(wish: Wish, folder: string): Promise<Measure[]> {
  const here = wish.wants("cold") || wish.wants("load") ? await measureHere(wish, folder) : [];
  const there = wish.wants("cluster") ? await onCluster(wish.rounds, progress) : [];
  return [...here, ...there];
}

async function measureHere({ rounds, wants }: Wish, folder: string): Promise<Measure[]> {
  const files = ["mock", "reconcile", "resync", "cli", "compile"].map((name) => `dist/${name}.cjs`);
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined) throw new BenchError(`${missing} is missing; run npm run build first`);
  if (wants("load")) await installPeers();
  const mock = await prepareMock(folder);
  return [
    ...(wants("cold") ? await coldMeasures(mock, folder, rounds) : []),
    ...(wants("load") ? await loadMeasures(mock, rounds) : []),
  ];
}

async function coldMeasures(mock: MockFiles, folder: string, rounds: number): Promise<Measure[]> {
  const api = await emptyApiServer(folder);
  try {
    const pairs = [...(await functionPairs(api, folder)), ...(await mockPairs(mock))];
    return await takeTwice(pairs, async (some) => await cold(some, rounds, progress));
  } finally {
    api.close();
  }
}

async function loadMeasures(mock: MockFiles, rounds: number): Promise<Measure[]> {
  const [field, all] = await races(mock);
  return await takeTwice(all, async (some) => await throughput(field, some, { rounds, progress }));
}

async function installPeers(): Promise<void> {
  const peers = "test/bench/peers";
  // Written last by npm: a broken install is done again.
  if (existsSync(`${peers}/node_modules/.package-lock.json`)) return;
  say(`installing the peers into ${peers}`);
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  try {
    await run("npm", ["ci", "--prefix", peers, ...flags]);
  } catch (error) {
    throw new BenchError(
      `the peers to compare with cannot be installed; npm run bench -- cold goes without them. ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

async function main(): Promise<void> {
  const wish = wishOf(process.argv.slice(2));
  if (wish.help) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  if (wish.wants("cluster")) {
    const code = await runOnTestCluster();
    if (code !== undefined) {
      process.exitCode = code;
      return;
    }
  }
  const folder = mkdtempSync(join(tmpdir(), "apirator-bench-"));
  const cleanUp = (): void => {
    killAll();
    abandonStages();
    progress("");
    rmSync(folder, { recursive: true, force: true });
  };
  const interrupted = (): void => {
    cleanUp();
    process.exit(130);
  };
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  try {
    const measures = await measure(wish, folder);
    progress("");
    process.stdout.write(
      wish.json ? `${JSON.stringify(measures, null, 2)}\n` : `${table(measures)}\n`,
    );
    const broken = measures.filter((one) => !holds(one));
    if (broken.length > 0) say(`${broken.length} of ${measures.length} budgets do not hold`);
    if (wish.assert && broken.length > 0) process.exitCode = 1;
  } finally {
    cleanUp();
  }
}

main().catch((error: unknown) => {
  const expected = error instanceof BenchError || (error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS") === true; // oxfmt-ignore
  say(expected ? (error as Error).message : `${error instanceof Error ? error.stack : String(error)}`); // oxfmt-ignore
  process.exitCode = expected ? 2 : 1;
});
