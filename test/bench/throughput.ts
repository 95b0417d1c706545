import { load } from "./load.ts";
import { median, type Measure } from "./measure.ts";
import type { Probe } from "./http.ts";
import { start, type Program, type Running } from "./process.ts";

/** A request to send as fast as it is answered, and what is asked of ours against bare and against the fastest peer. */
export interface Race {
  readonly name: string;
  readonly probe: Probe;
  readonly againstBare: number;
  readonly againstPeer: number;
}

const connections = 32;
const seconds = 0.5;

/** Measures requests per second of every program for every race, in turns, `rounds` times; all of them stay up meanwhile. */
export async function throughput(
  programs: { ours: Program; bare: (race: Race) => Program; peers: readonly Program[] },
  races: readonly Race[],
  rounds: number,
): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const race of races) {
    const runners: Running[] = [];
    try {
      for (const program of [programs.ours, programs.bare(race), ...programs.peers])
        runners.push(await start(program, race.probe));
      measures.push(
        ...compare(race, (await rates(runners, race, rounds)).map(median), programs.peers),
      );
    } finally {
      for (const runner of runners) await runner.stop();
    }
  }
  return measures;
}

/** Answers each runner's rates, a row a runner. One round more is run than counts: it warms every program up. */
async function rates(runners: readonly Running[], race: Race, rounds: number): Promise<number[][]> {
  const rows = runners.map((): number[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, runner] of runners.entries())
      rows[index]?.push(await load(runner.port, race.probe, { connections, seconds }));
  }
  return rows.map((row) => row.slice(1));
}

function compare(
  race: Race,
  [ours = Number.NaN, bare = Number.NaN, ...peers]: readonly number[],
  programs: readonly Program[],
): Measure[] {
  const fastest = Math.max(...peers);
  const name = programs[peers.indexOf(fastest)]?.name ?? "peer";
  return [
    {
      name: race.name,
      unit: "requests/s",
      ours,
      other: bare,
      against: "bare",
      ratio: ours / bare,
      budget: { least: race.againstBare },
    },
    {
      name: race.name,
      unit: "requests/s",
      ours,
      other: fastest,
      against: name,
      ratio: ours / fastest,
      budget: { least: race.againstPeer },
    },
  ];
}
