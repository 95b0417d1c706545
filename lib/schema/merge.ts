import type { Schema, SchemaId } from "../compiled/compiled.ts";
import { choicesOf } from "./facets.ts";
import type { Facets } from "./facets.ts";
import { work } from "./making.ts";
import type { Making, Place } from "./making.ts";
import { mappingKey } from "./discriminator.ts";
import { isSchemaObject, nameList, referencedId, schemaList } from "./reference.ts";
import type { SchemaObject } from "./reference.ts";
import { typeNames, typeOfValue, typesOfKeyword } from "./types.ts";
import type { TypeName } from "./types.ts";
import { inOrder, namesOfOthers, spoilOthers, unionsOf } from "./unions.ts";
import type { Union } from "./unions.ts";

/** Ways through the unions of one place that are tried. */
const mostWays = 64;

/**
 * Answers the ways in which a value can fit all the schemas at once: one branch of each union, one type, nothing that contradicts
 * itself at first sight. Better ways come first; at most 64. In a place that may be left out, no way leads back inside a schema.
 */
export function* waysOf(
  making: Making,
  place: Place,
  schemas: readonly Schema[],
): Generator<Facets> {
  const start: State = {
    parts: [],
    types: new Set(typeNames),
    ids: new Set(),
    pins: new Map(),
    avoid: new Set(),
    unions: [],
  };
  if (!schemas.every((schema) => absorb(making, start, schema))) return;
  let ways = 0;
  for (const state of expand(making, place, start)) {
    for (const type of typesInOrder(state)) {
      yield { ...state, type };
      ways += 1;
      if (ways >= mostWays) return;
    }
  }
}

interface State {
  readonly parts: SchemaObject[];
  types: ReadonlySet<TypeName>;
  readonly ids: Set<SchemaId>;
  readonly pins: Map<string, string>;
  readonly avoid: Set<string>;
  readonly unions: Union[];
}

function* expand(making: Making, place: Place, state: State): Generator<State> {
  work(making);
  const [union, ...rest] = state.unions;
  if (union === undefined) {
    if (choicesOf(state.parts)?.length !== 0) yield state;
    return;
  }
  const branches = inOrder(making, place, union.branches).filter(
    (branch) => !leadsBack(making, state, branch),
  );
  for (const branch of branches) {
    const next = withBranch(making, { ...state, unions: rest }, { union, branch });
    if (next !== undefined) yield* expand(making, place, next);
  }
  if (!union.exclusive) return;
  // Branches that overlap: the last resort is a value that only one of them allows.
  for (const branch of branches) {
    const next = withBranch(making, { ...state, unions: rest }, { union, branch });
    const spoiler = next === undefined ? undefined : spoilOthers(making, next.parts, union, branch);
    if (next !== undefined && spoiler !== undefined && absorb(making, next, spoiler))
      yield* expand(making, place, next);
  }
}

interface Chosen {
  readonly union: Union;
  readonly branch: Schema;
}

/** The state with one branch of a union; the state itself is not changed. */
function withBranch(making: Making, state: State, { union, branch }: Chosen): State | undefined {
  const next: State = {
    parts: [...state.parts],
    types: state.types,
    ids: new Set(state.ids),
    pins: new Map(state.pins),
    avoid: new Set(state.avoid),
    unions: [...state.unions],
  };
  if (!absorb(making, next, branch)) return undefined;
  pinBranch(making, next, { union, branch });
  if (union.exclusive) {
    for (const name of namesOfOthers(making, next.parts, union, branch)) next.avoid.add(name);
  }
  return next;
}

/** Adds what a schema says to the state; false where nothing can fit any more. */
function absorb(making: Making, state: State, schema: Schema): boolean {
  work(making, costOf(schema));
  if (typeof schema === "boolean") return schema;
  state.parts.push(schema);
  state.types = state.types.intersection(ownTypes(schema));
  if (state.types.size === 0) return false;
  avoidNot(state, schema["not"]);
  state.unions.push(...unionsOf(schema));
  const id = referencedId(making.schemas, schema["$ref"]);
  if (id !== undefined && !state.ids.has(id)) {
    state.ids.add(id);
    if (!absorb(making, state, making.schemas[id] ?? true)) return false;
  }
  pinOwn(making, state, schema);
  return schemaList(schema["allOf"]).every((part) => absorb(making, state, part));
}

/** Steps for reading a schema: each value of a choice is looked at. */
function costOf(schema: Schema): number {
  return (
    1 + (isSchemaObject(schema) && Array.isArray(schema["enum"]) ? schema["enum"].length / 4 : 0)
  );
}

function ownTypes(schema: SchemaObject): ReadonlySet<TypeName> {
  let types = typesOfKeyword(schema["type"]);
  const values = Object.hasOwn(schema, "const") ? [schema["const"]] : schema["enum"];
  if (Array.isArray(values)) types = types.intersection(new Set(values.map(typeOfValue)));
  const not = schema["not"];
  if (isSchemaObject(not) && Object.keys(not).join() === "type")
    types = types.difference(typesOfKeyword(not["type"]));
  return types;
}

/** A branch that is only a reference to where we come from adds nothing: the same choice again, for ever. */
function leadsBack(making: Making, state: State, branch: Schema): boolean {
  if (!isSchemaObject(branch) || Object.keys(branch).length !== 1) return false;
  const id = referencedId(making.schemas, branch["$ref"]);
  return id !== undefined && state.ids.has(id);
}

function pinBranch(making: Making, state: State, { union, branch }: Chosen): void {
  const id = isSchemaObject(branch) ? referencedId(making.schemas, branch["$ref"]) : undefined;
  const pin = id === undefined ? undefined : mappingKey(making.schemas, union.owner, id);
  if (pin !== undefined) state.pins.set(pin.property, pin.key);
}

/** A discriminator without a union names the schema that was asked for: the outermost. */
function pinOwn(making: Making, state: State, schema: SchemaObject): void {
  const [outermost] = state.ids;
  if (outermost === undefined || schema["oneOf"] !== undefined || schema["anyOf"] !== undefined)
    return;
  const pin = mappingKey(making.schemas, schema, outermost);
  if (pin !== undefined && !state.pins.has(pin.property)) state.pins.set(pin.property, pin.key);
}

function avoidNot(state: State, not: unknown): void {
  if (!isSchemaObject(not)) return;
  const [name] = nameList(not["required"]);
  if (name !== undefined) state.avoid.add(name);
  for (const branch of schemaList(not["anyOf"])) avoidNot(state, branch);
}

const hints: readonly (readonly [TypeName, readonly string[]])[] = [
  ["object", ["properties", "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties", "maxProperties", "dependentRequired", "unevaluatedProperties"]],
  ["array", ["items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems", "unevaluatedItems"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
  ["string", ["pattern", "minLength", "maxLength", "format", "contentEncoding"]],
]; // oxfmt-ignore

/** The types that are left, as the parts name them; null last. Where nothing is named, what the other keywords speak of. */
function typesInOrder({ parts, types }: State): readonly TypeName[] {
  const named = parts
    .flatMap((part) => part["type"])
    .filter((type): type is TypeName => types.has(type as TypeName));
  const spoken = hints.filter(([, keywords]) =>
    keywords.some((keyword) => parts.some((part) => Object.hasOwn(part, keyword))),
  );
  const hinted = spoken.map(([type]) => type).filter((type) => types.has(type));
  const some =
    named.length > 0
      ? named
      : [
          ...hinted,
          ...(["string", "integer", "number"] as const).filter((type) => types.has(type)),
        ];
  const order = [...new Set(some.length > 0 ? some : types)];
  return [...order.filter((type) => type !== "null"), ...order.filter((type) => type === "null")];
}
