import type { KubeObject } from "../cluster/cluster.ts";
import type { Kind } from "../cluster/kinds.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Shape } from "./shape.ts";

/** What a refused object breaks, as in `details.causes` of a Kubernetes Status. */
export interface Cause {
  readonly reason: string;
  readonly field: string;
  readonly message: string;
}

/** A column of a Table: its name, and the cell of an object at a time. */
export interface Column {
  readonly name: string;
  cell(object: JsonObject, now: Date): Json;
}

/** What the API server knows of a kind that it serves. */
export interface Resource extends Kind {
  /** `apimocks.apirator.io`, as messages name it. */
  readonly groupResource: string;
  readonly shape: Shape;
  /** Whether the status is a subresource: writes of the main resource never touch it. */
  readonly hasStatus: boolean;
  /** Whether there is a `metadata.generation`. */
  readonly hasGeneration: boolean;
  /** Answers whether a change between two bodies is none that the generation counts. */
  isSameSpec(a: JsonObject, b: JsonObject): boolean;
  /** Whether the server keeps it in a Go type, as it does kinds of the core: what is empty there is not kept. */
  readonly isTyped: boolean;
  /** What a name must be. */
  readonly naming: "subdomain" | "dns1035";
  readonly columns: readonly Column[];
  /** Field selectors beside metadata.name and metadata.namespace, as dotted paths. */
  readonly selectable: readonly string[];
  /** Answers the paths of fields that the schema does not know. */
  unknown(object: JsonObject): readonly string[];
  /** Answers the object with unknown fields removed and defaults filled in: by its schema, or a defaulting webhook that is told who writes. */
  complete(object: JsonObject, old: JsonObject | undefined, user: string): JsonObject;
  /** Answers what is wrong with the object; none: it is let in. */
  check(object: JsonObject, old: JsonObject | undefined): readonly Cause[];
}

/** The object as the port gives it. The store never holds one without apiVersion, kind and metadata. */
export function asObject(value: JsonObject): KubeObject {
  return value as unknown as KubeObject;
}

/** The object as JSON. */
export function asJson(object: KubeObject): JsonObject {
  return object as unknown as JsonObject;
}
