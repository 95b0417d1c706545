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

/** What runs in a race: ours, bare sending the same bytes, and the peers. */
export interface Field {
  readonly ours: Program;
  readonly bare: (race: Race) => Program;
  readonly peers: readonly Program[];
}

/** Measures requests per second of every program for every race, in turns, `rounds` times; all of a race stay up meanwhile. Two measures a race. */
export async function throughput(
  field: Field,
  races: readonly Race[],
  { rounds, progress }: { rounds: number; progress: (line: string) => void },
): Promise<Measure[][]> {
  const measures: Measure[][] = [];
  for (const race of races) {
    const runners: Running[] = [];
    try {
      for (const program of [field.ours, field.bare(race), ...field.peers]) {
        progress(`load: ${race.name}, starting ${program.name}`);
        runners.push(await start(program, race.probe));
      }
      const turns = turnsOf(runners, race, rounds);
      const rows = runners.map((): number[] => []);
      for await (const { round, index, rate } of turns) {
        progress(`load: ${race.name}, round ${round + 1} of ${rounds}`);
        rows[index]?.push(rate);
      }
      measures.push(compare(race, rows, field.peers));
    } finally {
      for (const runner of runners) await runner.stop();
    }
  }
  return measures;
}

/** Answers one rate after the other. A round more is run than counts: it warms every program up. */
async function* turnsOf(
  runners: readonly Running[],
  race: Race,
  rounds: number,
): AsyncGenerator<{ round: number; index: number; rate: number }> {
  for (let round = -1; round < rounds; round += 1) {
    for (const [index, { port }] of runners.entries()) {
      const rate = await load(port, race.probe, { connections, seconds });
      if (round >= 0) yield { round, index, rate };
    }
  }
}

/** Ratios are of neighbours within a round, and their median counts: a machine that is slow for some rounds is slow for both. */
function compare(
  race: Race,
  [ours = [], bare = [], ...peers]: readonly (readonly number[])[],
  programs: readonly Program[],
): Measure[] {
  const medians = peers.map(median);
  const fastest = medians.indexOf(Math.max(...medians));
  const against = (other: readonly number[], name: string, least: number): Measure => ({
    name: race.name,
    unit: "requests/s",
    ours: median(ours),
    other: median(other),
    against: name,
    ratio: median(ours.map((rate, round) => rate / (other[round] ?? Number.NaN))),
    budget: { least },
  });
  return [
    against(bare, "bare", race.againstBare),
    against(peers[fastest] ?? [], programs[fastest]?.name ?? "peer", race.againstPeer),
  ];
}
