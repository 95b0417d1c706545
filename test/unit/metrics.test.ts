import { expect, test } from "vitest";
import { createMetrics } from "../../lib/metrics.ts";

test("metrics are OpenMetrics text, in the order of their making", () => {
  const metrics = createMetrics();
  const requests = metrics.counter({
    name: "apirator_requests",
    help: "Requests answered.",
    labels: ["operation", "status"],
  });
  const seconds = metrics.histogram(
    { name: "apirator_seconds", help: "Duration.", labels: ["operation"] },
    [0.5, 1],
  );
  metrics.gauge({ name: "apirator_waiting", help: "Keys that wait." }, () => 3);
  requests.add(["list", "200"]);
  requests.add(["list", "200"], 2);
  requests.add(["list", "404"]);
  for (const value of [0.5, 0.75, 5]) seconds.observe(["list"], value);
  expect(metrics.text()).toBe(`# TYPE apirator_requests counter
# HELP apirator_requests Requests answered.
apirator_requests_total{operation="list",status="200"} 3
apirator_requests_total{operation="list",status="404"} 1
# TYPE apirator_seconds histogram
# HELP apirator_seconds Duration.
apirator_seconds_bucket{operation="list",le="0.5"} 1
apirator_seconds_bucket{operation="list",le="1.0"} 2
apirator_seconds_bucket{operation="list",le="+Inf"} 3
apirator_seconds_count{operation="list"} 3
apirator_seconds_sum{operation="list"} 6.25
# TYPE apirator_waiting gauge
# HELP apirator_waiting Keys that wait.
apirator_waiting 3
# EOF
`);
});

test("metrics without labels have no braces", () => {
  const metrics = createMetrics();
  metrics.counter({ name: "events", help: "Events.", labels: [] }).add([]);
  metrics.histogram({ name: "seconds", help: "Duration.", labels: [] }, []).observe([], 2);
  expect(metrics.text()).toContain("events_total 1\n");
  expect(metrics.text()).toContain('seconds_bucket{le="+Inf"} 1\nseconds_count 1\nseconds_sum 2\n');
});

test("label values cannot break the text", () => {
  const metrics = createMetrics();
  metrics.counter({ name: "n", help: "N.", labels: ["l"] }).add(['a"b\\c\nd']);
  expect(metrics.text()).toContain(String.raw`n_total{l="a\"b\\c\nd"} 1`);
});

test("a label without end does not fill the memory: what is too much counts as other", () => {
  const metrics = createMetrics();
  const counter = metrics.counter({ name: "n", help: "N.", labels: ["path"] });
  for (let path = 0; path < 10_000; path += 1) counter.add([`/${path}`]);
  const lines = metrics.text().split("\n");
  expect(lines.length).toBeLessThan(2100);
  expect(lines).toContain('n_total{path="other"} 8000');
});
