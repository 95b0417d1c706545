import type { Json, JsonObject } from "./json.ts";
import { isList, isObject, textOf } from "./json.ts";
import { readPath } from "./json-path.ts";
import type { Column } from "./resource.ts";

/** Answers a column that shows what is at a JSONPath, as a CRD's additionalPrinterColumns do: null where there is nothing, a date as its age. */
export function pathColumn(name: string, path: string, type = "string"): Column {
  return {
    name,
    cell: (object, now) => {
      const value = readPath(object, path.replace(/^\./, "")) ?? null;
      if (value === null) return null;
      if (type === "date") return ageText(textOf(value), now);
      if (type === "string") return textOf(value);
      return value;
    },
  };
}

/** The columns that every table begins and ends with. */
export const nameColumn = pathColumn("Name", "metadata.name");
export const ageColumn = pathColumn("Age", "metadata.creationTimestamp", "date");

/** The columns of the API server's own for kinds of the core. */
export const coreColumns = {
  ConfigMap: [nameColumn, countColumn("Data", "data", "binaryData"), ageColumn],
  Deployment: [
    nameColumn,
    {
      name: "Ready",
      cell: (object) =>
        `${number(object, "status.readyReplicas")}/${number(object, "spec.replicas", 1)}`,
    },
    { name: "Up-to-date", cell: (object) => number(object, "status.updatedReplicas") },
    { name: "Available", cell: (object) => number(object, "status.availableReplicas") },
    ageColumn,
    listColumn("Containers", "spec.template.spec.containers", "name"),
    listColumn("Images", "spec.template.spec.containers", "image"),
  ],
  Service: [
    nameColumn,
    pathColumn("Type", "spec.type"),
    pathColumn("Cluster-IP", "spec.clusterIP"),
    ageColumn,
  ],
  Ingress: [
    nameColumn,
    pathColumn("Class", "spec.ingressClassName"),
    listColumn("Hosts", "spec.rules", "host"),
    ageColumn,
  ],
  Event: [
    pathColumn("Last Seen", "lastTimestamp", "date"),
    pathColumn("Type", "type"),
    pathColumn("Reason", "reason"),
    pathColumn("Message", "message"),
    pathColumn("Count", "count", "integer"),
    nameColumn,
  ],
} as const satisfies Record<string, readonly Column[]>;

/** The columns of Knative's CRDs. */
export const knativeColumns = {
  Service: [
    nameColumn,
    pathColumn("URL", "status.url"),
    pathColumn("LatestCreated", "status.latestCreatedRevisionName"),
    pathColumn("LatestReady", "status.latestReadyRevisionName"),
    pathColumn("Ready", "status.conditions[?(@.type=='Ready')].status"),
    pathColumn("Reason", "status.conditions[?(@.type=='Ready')].reason"),
  ],
  Revision: [
    nameColumn,
    pathColumn("Config Name", "metadata.labels['serving.knative.dev/configuration']"),
    pathColumn("Generation", "metadata.labels['serving.knative.dev/configurationGeneration']"),
    pathColumn("Ready", "status.conditions[?(@.type=='Ready')].status"),
    pathColumn("Reason", "status.conditions[?(@.type=='Ready')].reason"),
  ],
} as const satisfies Record<string, readonly Column[]>;

/** Answers a time span as kubectl shows it: `5s`, `3m20s`, `7m`, `4h`, `3d2h`, `12d` (apimachinery duration.HumanDuration). */
export function ageText(since: string, now: Date): string {
  const seconds = Math.floor((now.getTime() - Date.parse(since)) / 1000);
  if (Number.isNaN(seconds)) return "<invalid>";
  if (seconds < 120) return `${Math.max(seconds, 0)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return pair(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return pair(hours, "h", minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 192) return pair(days, "d", hours % 24, "h");
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return days < 8 * 365 ? pair(years, "y", days % 365, "d") : `${years}y`;
}

function pair(most: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${most}${unit}` : `${most}${unit}${rest}${restUnit}`;
}

function number(object: JsonObject, path: string, absent = 0): number {
  const value = readPath(object, path);
  return typeof value === "number" ? value : absent;
}

function countColumn(name: string, ...members: readonly string[]): Column {
  return {
    name,
    cell: (object) =>
      members.reduce((total, member) => {
        const value: Json | undefined = object[member];
        return total + (isObject(value) ? Object.keys(value).length : 0);
      }, 0),
  };
}

function listColumn(name: string, path: string, member: string): Column {
  return {
    name,
    cell: (object) => {
      const items = readPath(object, path);
      const texts = (isList(items) ? items : []).map((item) => readPath(item, member));
      return texts.flatMap((text) => (text === undefined ? [] : [textOf(text)])).join(",");
    },
  };
}
