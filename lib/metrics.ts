/** Media type of the text (OpenMetrics 1.0, section "Overall structure"). */
export const metricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/** A number that only grows. */
export interface Counter {
  /** Adds `amount` (1) to the series of these label values, given in the order of the label names. */
  add(values: readonly string[], amount?: number): void;
}

/** How often values fell below bounds, their number and their sum. */
export interface Histogram {
  /** Counts a value, in the unit of the metric's name. */
  observe(values: readonly string[], value: number): void;
}

/** What a metric is: name without suffix (`_total`, `_bucket` are added), one line of help, names of its labels. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** Metrics of one process, kept in memory. */
export interface Metrics {
  counter(metric: Metric): Counter;
  /** `bounds` are upper ends, ascending; `+Inf` is added. */
  histogram(metric: Metric, bounds?: readonly number[]): Histogram;
  /** A value that is asked for whenever the text is. */
  gauge(metric: Omit<Metric, "labels">, value: () => number): void;
  /** Answers all of it in OpenMetrics text form, metrics in the order of their making. */
  text(): string;
}

/** Bounds for durations in seconds, from a millisecond to ten seconds. */
const durations: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Series that a metric may have. A label whose values never end must not fill the memory. */
const mostSeries = 2000;

/** Answers an empty set of metrics. */
export function createMetrics(): Metrics {
  const parts: (() => string[])[] = [];
  return {
    counter(metric) {
      const series = seriesOf(metric, () => ({ total: 0 }));
      parts.push(() => [
        ...head(metric, "counter"),
        ...series.all().map(([labels, { total }]) => line(`${metric.name}_total`, labels, total)),
      ]);
      return {
        add: (values, amount = 1) => {
          series.at(values).total += amount;
        },
      };
    },
    histogram(metric, bounds = durations) {
      const series = seriesOf(metric, () => ({ counts: bounds.map(() => 0), count: 0, sum: 0 }));
      parts.push(() => [
        ...head(metric, "histogram"),
        ...series
          .all()
          .flatMap(([labels, state]) => histogramLines(metric.name, labels, { ...state, bounds })),
      ]);
      return {
        observe: (values, value) => {
          const state = series.at(values);
          const index = bounds.findIndex((bound) => value <= bound);
          if (index !== -1) state.counts[index] = (state.counts[index] ?? 0) + 1;
          state.count += 1;
          state.sum += value;
        },
      };
    },
    gauge(metric, value) {
      parts.push(() => [...head(metric, "gauge"), line(metric.name, "", value())]);
    },
    text: () => [...parts.flatMap((part) => part()), "# EOF", ""].join("\n"),
  };
}

interface Series<State> {
  at(values: readonly string[]): State;
  all(): [labels: string, State][];
}

function seriesOf<State>(metric: Metric, fresh: () => State): Series<State> {
  const states = new Map<string, { values: readonly string[]; state: State }>();
  const at = (values: readonly string[]): State => {
    const key = values.join("\0");
    const known = states.get(key);
    if (known !== undefined) return known.state;
    const others = metric.labels.map(() => "other");
    if (states.size >= mostSeries && key !== others.join("\0")) return at(others);
    const state = fresh();
    states.set(key, { values: [...values], state });
    return state;
  };
  return {
    at,
    all: () =>
      [...states.values()].map(({ values, state }) => [pairs(metric.labels, values), state]),
  };
}

function pairs(names: readonly string[], values: readonly string[]): string {
  return names.map((name, index) => `${name}="${escaped(values[index] ?? "")}"`).join(",");
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function head({ name, help }: Pick<Metric, "name" | "help">, type: string): string[] {
  return [`# TYPE ${name} ${type}`, `# HELP ${name} ${escaped(help)}`];
}

function line(name: string, labels: string, value: number): string {
  return `${name}${labels === "" ? "" : `{${labels}}`} ${value}`;
}

function histogramLines(
  name: string,
  labels: string,
  state: { bounds: readonly number[]; counts: readonly number[]; count: number; sum: number },
): string[] {
  const before = labels === "" ? "" : `${labels},`;
  let below = 0;
  const buckets = state.bounds.map((bound, index) => {
    below += state.counts[index] ?? 0;
    return line(`${name}_bucket`, `${before}le="${canonical(bound)}"`, below);
  });
  return [
    ...buckets,
    line(`${name}_bucket`, `${before}le="+Inf"`, state.count),
    line(`${name}_count`, labels, state.count),
    line(`${name}_sum`, labels, state.sum),
  ];
}

/** OpenMetrics, "Considerations: canonical numbers": a bound is always a float. */
function canonical(bound: number): string {
  return Number.isInteger(bound) ? `${bound}.0` : String(bound);
}
