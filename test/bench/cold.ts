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

/** Measures spawn to first answer and memory after it, ours and bare alternating, `rounds` times each. */
export async function cold(pair: Pair, rounds: number): Promise<Measure[]> {
  const seen = { ours: [] as Running[], bare: [] as Running[] };
  for (let round = 0; round < rounds; round += 1) {
    for (const which of ["bare", "ours"] as const) {
      const running = await start(pair[which], pair.probe);
      await running.stop();
      seen[which].push(running);
    }
  }
  const of = (which: "ours" | "bare", what: "firstAnswer" | "memory") =>
    median(seen[which].map((running) => running[what]));
  const time = { ours: of("ours", "firstAnswer"), bare: of("bare", "firstAnswer") };
  const memory = { ours: of("ours", "memory"), bare: of("bare", "memory") };
  return [
    {
      name: `${pair.name}: spawn to first answer`,
      unit: "ms",
      ours: time.ours,
      other: time.bare,
      against: "bare",
      ratio: time.ours / time.bare,
      budget: { most: pair.budget },
    },
    {
      name: `${pair.name}: memory after it`,
      unit: "MiB",
      ours: memory.ours,
      other: memory.bare,
      against: "bare",
      ratio: memory.ours / memory.bare,
      budget: { most: memoryBudget },
    },
  ];
}
