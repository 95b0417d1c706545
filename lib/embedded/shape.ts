import { isObject, memberOf } from "./json.ts";

/**
 * How server-side apply merges a value (structured-merge-diff, Kubernetes "Merge strategy"): a list is atomic, a set, or a map
 * by keys; an object is merged member by member unless atomic. What no shape speaks of is an object merged by members or an atomic list.
 */
export interface Shape {
  readonly atomic?: true;
  readonly list?: "set" | "map";
  /** With `list: "map"`: the members that identify an item. */
  readonly keys?: readonly string[];
  /** Values of a key that an item may leave out (`ports[].protocol`). */
  readonly keyDefaults?: Readonly<Record<string, string>>;
  readonly items?: Shape;
  readonly fields?: Readonly<Record<string, Shape>>;
}

const nothing: Shape = {};

/** Answers a list that is merged item by item, each item found by the keys given. */
export function mapList(keys: readonly string[], items: Shape = nothing): Shape {
  return { list: "map", keys, items };
}

/** A list of distinct scalars. */
export const setList: Shape = { list: "set" };

/** An object that is replaced whole. */
export const atomicObject: Shape = { atomic: true };

/** Answers an object of which the members named have shapes of their own. */
export function fields(shapes: Readonly<Record<string, Shape>>): Shape {
  return { fields: shapes };
}

/** The shape of meta/v1 ObjectMeta. */
export const metadataShape: Shape = fields({
  ownerReferences: mapList(["uid"]),
  finalizers: setList,
});

/** Answers the shape of the member of an object. */
export function memberShape(shape: Shape, name: string): Shape {
  return shape.fields !== undefined && Object.hasOwn(shape.fields, name)
    ? (shape.fields[name] ?? nothing)
    : (shape.items ?? nothing);
}

/** Answers the shape of the items of a list. */
export function itemShape(shape: Shape): Shape {
  return shape.items ?? nothing;
}

/** Answers the shape that a structural schema of a CRD describes (`x-kubernetes-list-type`, `x-kubernetes-map-type`). */
export function shapeOfSchema(schema: unknown): Shape {
  if (!isObject(schema)) return nothing;
  if (schema["x-kubernetes-map-type"] === "atomic") return atomicObject;
  const list = schema["x-kubernetes-list-type"];
  if (list === "set") return setList;
  if (list === "map") {
    const keys = schema["x-kubernetes-list-map-keys"];
    return mapList(Array.isArray(keys) ? keys.map(String) : [], shapeOfSchema(schema["items"]));
  }
  const properties = memberOf(schema, "properties");
  const additional = memberOf(schema, "additionalProperties");
  return {
    ...(isObject(properties)
      ? {
          fields: Object.fromEntries(
            Object.entries(properties).map(([name, property]) => [name, shapeOfSchema(property)]),
          ),
        }
      : {}),
    ...(isObject(additional) ? { items: shapeOfSchema(additional) } : {}),
  };
}
