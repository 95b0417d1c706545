/** One figure of a run: ours against another program in the same run, as a ratio that a budget may bound. Alone it is against "", and the ratio is NaN. */
export interface Measure {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  readonly other: number;
  readonly against: string;
  readonly ratio: number;
  /** None where a figure is only told. */
  readonly budget?: { readonly most: number } | { readonly least: number };
  /** The ratio of the first try, where that broke the budget and this is the second and last. */
  readonly firstRatio?: number;
}

/** Answers the middle of the values; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** True where the ratio is within its budget. A figure that could not be taken (NaN) is within none. */
export function holds(measure: Measure): boolean {
  if (measure.budget === undefined) return true;
  return "most" in measure.budget
    ? measure.ratio <= measure.budget.most
    : measure.ratio >= measure.budget.least;
}

/**
 * Takes the measures of every subject, a list a subject. Where one breaks its budget, a neighbour on the machine may have been loud: that
 * subject is measured once more, against the same budget, and what was broken is replaced; the first ratio stays visible.
 */
export async function takeTwice<Subject>(
  subjects: readonly Subject[],
  take: (subjects: readonly Subject[]) => Promise<Measure[][]>,
): Promise<Measure[]> {
  const first = await take(subjects);
  const broken = subjects.filter((_, index) => first[index]?.every(holds) !== true);
  const second = broken.length === 0 ? [] : await take(broken);
  return subjects.flatMap((subject, index) => {
    const again = second[broken.indexOf(subject)];
    return (first[index] ?? []).map((measure, at) => {
      const repeated = holds(measure) ? undefined : again?.[at];
      return repeated === undefined ? measure : { ...repeated, firstRatio: measure.ratio };
    });
  });
}

/** Answers the measures as a table for people. */
export function table(measures: readonly Measure[]): string {
  const rows = measures.map((measure) => [
    measure.name,
    measure.ours.toFixed(0),
    measure.against === "" ? "-" : `${measure.against} ${measure.other.toFixed(0)}`,
    measure.unit,
    Number.isNaN(measure.ratio) ? "-" : measure.ratio.toFixed(2),
    boundOf(measure),
    verdict(measure),
  ]);
  const all = [["MEASURE", "OURS", "AGAINST", "UNIT", "RATIO", "BUDGET", ""], ...rows];
  const widths =
    all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function boundOf({ budget }: Measure): string {
  if (budget === undefined) return "-";
  return "most" in budget ? `<= ${budget.most}` : `>= ${budget.least}`;
}

function verdict(measure: Measure): string {
  if (measure.budget === undefined) return "";
  const word = holds(measure) ? "holds" : "BROKEN";
  if (measure.firstRatio === undefined) return word;
  return `${word}, second try (first: ${measure.firstRatio.toFixed(2)})`;
}
