import type { Schema, SchemaId } from "../../../lib/compiled/compiled.ts";
import type { Schemas } from "../../../lib/schema/reference.ts";
import { shapeOf } from "../../../lib/schema/shape.ts";
import type { Shape, TypeName } from "../../../lib/schema/shape.ts";

/** The types of a schema and of what it holds, found once and kept: what turns text into values. */
export interface TypeTree extends Pick<Shape, "types" | "default" | "hasDefault"> {
  readonly kinds: Kinds;
  /** Answers the tree of a declared property; undefined where `properties` does not name it. */
  property(name: string): TypeTree | undefined;
  /** The tree of all other properties, where the schema describes them. */
  other(): TypeTree | undefined;
  /** Answers the tree of the item at an index; undefined where nothing is said of it. */
  item(index: number): TypeTree | undefined;
}

/** Items further on are taken as alike, so that a long list costs one look each. */
const maxIndex = 256;

/** Answers the tree of a schema or of the schema of an id. It grows as it is asked, so schemas may refer to themselves. */
export function typeTreeOf(schemas: Schemas, schema: Schema | SchemaId): TypeTree {
  const shape = shapeOf(schemas, schema);
  const grow = (next: Schema | undefined): TypeTree | undefined =>
    next === undefined ? undefined : typeTreeOf(schemas, next);
  const property = remembered((name: string) => grow(shape.property(name)));
  const item = remembered((index: number) => grow(shape.items(index)));
  const other = remembered(() => grow(shape.additional));
  return {
    types: shape.types,
    kinds: kindsOfTypes(shape.types),
    default: shape.default,
    hasDefault: shape.hasDefault,
    property,
    other: () => other(undefined),
    item: (index) => item(Math.min(index, maxIndex)),
  };
}

/** Keeps what was found; that a name is not there is not kept, for senders choose names. */
function remembered<Key>(
  find: (key: Key) => TypeTree | undefined,
): (key: Key) => TypeTree | undefined {
  const kept = new Map<Key, TypeTree>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const found = find(key);
    if (found !== undefined) kept.set(key, found);
    return found;
  };
}

/** The forms in which a value may be written. */
export interface Kinds {
  readonly array: boolean;
  readonly object: boolean;
  readonly scalar: boolean;
}

const plainText: Kinds = { array: false, object: false, scalar: true };

/** Answers which forms of a value a schema allows. A schema that says nothing means plain text. */
export function kindsOf(tree: TypeTree | undefined): Kinds {
  return tree === undefined ? plainText : tree.kinds;
}

function kindsOfTypes(types: ReadonlySet<TypeName>): Kinds {
  const [array, object] = [types.has("array"), types.has("object")];
  if (array && object && types.has("string")) return plainText;
  const scalar =
    types.has("string") || types.has("integer") || types.has("boolean") || (!array && !object);
  return { array, object, scalar };
}
