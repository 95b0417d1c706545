import type { EventNote, KubeObject } from "../cluster/cluster.ts";
import { kinds } from "../cluster/kinds.ts";
import { timestamp } from "./metadata.ts";

/** Makes Kubernetes Events of notes. */
export interface EventRecorder {
  /** Answers the Event to apply: a new one, or the one of the same mock, reason and note within the hour, counted up. */
  eventOf(note: EventNote): KubeObject;
}

interface Series {
  readonly name: string;
  readonly first: Date;
  readonly last: Date;
  readonly count: number;
}

const hour = 3_600_000;

/** Answers a recorder with a memory of the Events that it made. */
export function createEventRecorder(now: () => Date, uid: () => string): EventRecorder {
  const known = new Map<string, Series>();
  return {
    eventOf: (note) => {
      const { about, type, reason, note: message } = note;
      const id = JSON.stringify([
        about.metadata.uid,
        about.metadata.namespace,
        about.metadata.name,
        reason,
        message,
      ]);
      const at = now();
      const before = known.get(id);
      const series: Series =
        before !== undefined && at.getTime() - before.last.getTime() < hour
          ? { ...before, last: at, count: before.count + 1 }
          : { name: `${about.metadata.name}.${uid()}`, first: at, last: at, count: 1 };
      known.set(id, series);
      const { apiVersion, kind } = kinds.event;
      return {
        apiVersion,
        kind,
        metadata: { name: series.name, namespace: about.metadata.namespace },
        involvedObject: {
          apiVersion: about.apiVersion,
          kind: about.kind,
          name: about.metadata.name,
          namespace: about.metadata.namespace,
          uid: about.metadata.uid,
        },
        type,
        reason,
        message,
        count: series.count,
        firstTimestamp: timestamp(series.first),
        lastTimestamp: timestamp(series.last),
        source: { component: "apirator" },
      };
    },
  };
}
