import { type Known, needOf } from "./checks.ts";
import type { MockRow } from "./rows.ts";

/** Mocks that differ in the build alone and are rolled in one resync. */
const mostUpgrades = 20;

/** Mocks that may be starting or failing while others are upgraded. */
const mostUnready = 5;

/** What a resync sends. */
export interface Selection {
  readonly mocks: readonly MockRow[];
  /** Mocks that an upgrade asks for and that wait for a later resync. */
  readonly postponed: number;
  /** Mocks that are starting or failing: from five on they hold up an upgrade. */
  readonly unready: number;
  /** How often each check held, for the log. */
  readonly why: Readonly<Record<string, number>>;
}

/**
 * Answers the mocks that are sent: all that need work, and of those that an upgrade alone asks for a few, none while five are starting or failing: an
 * upgrade that breaks mocks ends there. A refused definition is not the upgrade's fault and does not count.
 */
export function selectionOf(known: readonly Known[], build: string, all: boolean): Selection {
  const needs = known.map((each) => ({ mock: each.mock, ...needOf(each, build) }));
  const why: Record<string, number> = {};
  for (const name of needs.flatMap((each) => each.why)) why[name] = (why[name] ?? 0) + 1;
  const unready = known.filter(({ mock }) => ["Pending", "Error"].includes(mock.phase)).length;
  if (all) return { mocks: needs.map(({ mock }) => mock), postponed: 0, unready, why };
  const upgrades = needs.filter(({ need }) => need === "upgrade");
  const rolled = upgrades.slice(0, unready >= mostUnready ? 0 : mostUpgrades);
  const work = needs.filter(({ need }) => need === "work");
  return {
    mocks: [...work, ...rolled].map(({ mock }) => mock),
    postponed: upgrades.length - rolled.length,
    unready,
    why,
  };
}
