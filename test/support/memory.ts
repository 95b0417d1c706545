import { createMemoryCluster, type MemoryCluster } from "../../lib/embedded/memory.ts";
import { apimockCrd } from "./crd.ts";

/** Answers an empty cluster in memory that serves APIMocks; its time is `now`, its uids are counted. */
export function testCluster(
  now: () => Date = () => new Date("2030-01-01T00:00:00Z"),
): MemoryCluster {
  let uids = 0;
  return createMemoryCluster({ crds: [apimockCrd()], now, uid: () => `uid-${(uids += 1)}` });
}
