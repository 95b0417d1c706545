import type { Schema, SchemaId } from "../compiled/compiled.ts";
import { convertSchema } from "./schema.ts";
import type { Definition, Report } from "./definition.ts";
import { isObject, objectMember, textMember } from "./json.ts";
import { pointerKeys } from "./pointer.ts";

/** The schemas that a compiled definition needs, each once, however often it is named. Recursion is finite because they refer by id. */
export interface Schemas {
  /** Answers the id of the schema that stands at the pointer, or that its `$ref` leads to. */
  readonly at: (value: unknown, pointer: string) => SchemaId;
  /** Answers an id for a schema that the document does not spell out (2.0's form parameters). */
  readonly made: (schema: Schema) => SchemaId;
  /** Converts everything that was named, and what that names in turn, and answers all. */
  readonly finish: () => Record<SchemaId, Schema>;
  /** Answers where the schemas stand in the document. */
  readonly places: () => ReadonlyMap<SchemaId, string>;
}

/** Answers an empty collection over a document. A component keeps its own name where that is plain; others get a number. */
export function schemasOf(definition: Definition, report: Report): Schemas {
  const { root, dialect, references } = definition;
  const components =
    dialect === "2.0"
      ? objectMember(root, "definitions")
      : objectMember(objectMember(root, "components"), "schemas");
  const taken = new Set(Object.keys(components ?? {}));
  const ids = new Map<string, SchemaId>();
  const waiting: { id: SchemaId; value: unknown; pointer: string }[] = [];
  const done: [SchemaId, Schema][] = [];
  let counter = 0;

  function fresh(): SchemaId {
    do counter += 1;
    while (taken.has(String(counter)));
    return String(counter);
  }

  function register(value: unknown, pointer: string): SchemaId {
    const known = ids.get(pointer);
    if (known !== undefined) return known;
    const id = componentName(pointer, dialect) ?? fresh();
    ids.set(pointer, id);
    waiting.push({ id, value, pointer });
    return id;
  }

  function at(value: unknown, pointer: string): SchemaId {
    let found = { value, pointer };
    for (let hops = 0; hops < 100 && isBareReference(found.value, dialect); hops++) {
      const target = references.target(textMember(found.value, "$ref") ?? "", found.pointer);
      if (target.kind !== "found") return register(true, pointer);
      found = target;
    }
    return register(found.value, found.pointer);
  }

  return {
    at,
    made: (schema) => {
      const id = fresh();
      done.push([id, schema]);
      return id;
    },
    finish: () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        done.push([next.id, convertSchema(next.value, next.pointer, { definition, report, at })]);
      }
      return Object.fromEntries(done);
    },
    places: () => new Map([...ids].map(([pointer, id]) => [id, pointer])),
  };
}

/** Beside a `$ref`, 2.0 and 3.0 ignore everything; for 3.1 it counts, unless it only describes. */
function isBareReference(value: unknown, dialect: Definition["dialect"]): boolean {
  if (!isObject(value) || textMember(value, "$ref") === undefined) return false;
  return (
    dialect !== "3.1" ||
    Object.keys(value).every((key) => ["$ref", "description", "summary", "title"].includes(key))
  );
}

function componentName(pointer: string, dialect: Definition["dialect"]): string | undefined {
  const prefix = dialect === "2.0" ? "/definitions/" : "/components/schemas/";
  if (!pointer.startsWith(prefix)) return undefined;
  const name = pointer.slice(prefix.length);
  return pointerKeys(`/${name}`).length === 1 && /^[A-Za-z0-9._-]+$/.test(name) ? name : undefined;
}
