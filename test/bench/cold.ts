import { median, type Measure } from "./measure.ts";
import type { Probe } from "./http.ts";
import { start, type Program, type Running } from "./process.ts";

/** Two programs that answer the same probe, ours and bare `node:http`. */
export interface Pair {
  readonly name: string;
  readonly probe: Probe;
  readonly ours: Program;
  readonly bare: Program;
  /** Most that ours may take, as a multiple of bare. */
  readonly budget: number;
}

/** Most memory after the first answer, as a multiple of bare. */
const memoryBudget = 1.4;

const both = ["bare", "ours"] as const;

type Seen = Readonly<Record<(typeof both)[number], Running[]>>;

/**
 * Measures spawn to first answer and memory after it, two measures a pair. In each round every pair has its turn, ours and bare one after
 * the other, in changing order. One run before the first round fills Node's code cache, as the image's build does.
 */
export async function cold(
  pairs: readonly Pair[],
  rounds: number,
  progress: (line: string) => void,
): Promise<Measure[][]> {
  const seen = pairs.map((): Seen => ({ ours: [], bare: [] }));
  for (const pair of pairs) {
    for (const which of both) await (await start(pair[which], pair.probe)).end();
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, pair] of pairs.entries()) {
      progress(`cold: round ${round + 1} of ${rounds}, ${pair.name}`);
      for (const which of round % 2 === 0 ? both : both.toReversed()) {
        const running = await start(pair[which], pair.probe);
        await running.stop();
        seen[index]?.[which].push(running);
      }
    }
  }
  return pairs.map((pair, index) => measuresOf(pair, seen[index] ?? { ours: [], bare: [] }));
}

function measuresOf({ name, budget }: Pair, seen: Seen): Measure[] {
  const compare = (what: "firstAnswer" | "memory") => {
    const ours = median(seen.ours.map((running) => running[what]));
    const other = median(seen.bare.map((running) => running[what]));
    return { ours, other, against: "bare", ratio: ours / other };
  };
  return [
    {
      name: `${name}: spawn to first answer`,
      unit: "ms",
      ...compare("firstAnswer"),
      budget: { most: budget },
    },
    {
      name: `${name}: memory after it`,
      unit: "MiB",
      ...compare("memory"),
      budget: { most: memoryBudget },
    },
  ];
}
