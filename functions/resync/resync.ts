import type { Clock } from "../../lib/clock.ts";
import { type Event, resyncEvent } from "../../lib/cloudevent.ts";
import type { Cluster } from "../../lib/cluster/cluster.ts";
import { type Delivered, deliver } from "./delivery.ts";
import { type Selection, selectionOf } from "./selection.ts";
import { shuffled } from "./shuffle.ts";
import { survey } from "./survey.ts";

/** Milliseconds after which a resync sends nothing more. */
const deadline = 240_000;

/** What a resync needs of the world. */
export interface Dependencies {
  readonly cluster: Cluster;
  /** Answers the `status.build` of a mock that is up to date; asked for only where there are mocks. */
  readonly build: () => string;
  /** Sends an event to `reconcile`; answers the HTTP status, 0 where no answer came. Never throws. */
  readonly post: (event: Event) => Promise<number>;
  readonly clock: Clock;
  /** Answers a number from 0 to 1, 1 not included. */
  readonly random: () => number;
  /** Answers a new unique id. */
  readonly id: () => string;
}

/** What a resync found and did. */
export type Resynced = Omit<Selection, "mocks"> & Delivered & { readonly mocks: number };

/**
 * Finds the mocks that need work and asks `reconcile` for each of them; with `all` for every mock. It decides nothing else: what an event asks for is
 * read again by who gets it. Throws a `ClusterError` where the lists cannot be had.
 */
export async function resync(all: boolean, needs: Dependencies): Promise<Resynced> {
  const { cluster, build, post, clock, random, id } = needs;
  const end = clock.now() + deadline;

  // 1. What there is, by lists that hold no definition.
  const known = await survey(cluster);

  // 2. Which of it needs work.
  const { mocks, ...told } = selectionOf(known, known.length === 0 ? "" : build(), all);

  // 3. One event each, in no order, so that two resyncs do not wait for the same mocks.
  const send = async ({ namespace, name }: (typeof mocks)[number]): Promise<number> => {
    const time = new Date(clock.now()).toISOString();
    return await post(resyncEvent({ namespace, name }, { id: id(), time }));
  };
  const delivered = await deliver(shuffled(mocks, random), send, { clock, deadline: end });
  return { ...told, ...delivered, mocks: known.length };
}
