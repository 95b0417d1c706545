/** A type of JSON Schema. */
export type TypeName = "null" | "boolean" | "integer" | "number" | "string" | "array" | "object";

/** All types, in the order in which they are named where nothing else decides. */
export const typeNames: readonly TypeName[] = [
  "null",
  "boolean",
  "integer",
  "number",
  "string",
  "array",
  "object",
];

const known: ReadonlySet<unknown> = new Set(typeNames);

/** Answers the types of a `type` keyword as a set in which `number` comes with `integer`; all seven where it says nothing. */
export function typesOfKeyword(type: unknown): ReadonlySet<TypeName> {
  const named = (Array.isArray(type) ? type : [type]).filter((name): name is TypeName =>
    known.has(name),
  );
  if (named.length === 0) return new Set(typeNames);
  const types = new Set(named);
  if (types.has("number")) types.add("integer");
  return types;
}

/** Answers the type of a JSON value; a number without a fraction is an `integer` (JSON Schema, validation, section 6.1.1). */
export function typeOfValue(value: unknown): TypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  if (typeof value === "boolean" || typeof value === "string") return typeof value as TypeName;
  return "object";
}
