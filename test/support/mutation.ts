import * as fc from "fast-check";

/** A change of a JSON document: which value, chosen by number, becomes what. */
export interface Mutation {
  readonly at: number;
  readonly how: "remove" | "replace" | "copy" | "rename";
  readonly value: unknown;
  readonly from: number;
}

const keywords = [
  "$ref", "type", "properties", "items", "allOf", "oneOf", "schema", "content", "parameters", "responses", "in", "name", "required", "enum",
  "nullable", "pattern", "discriminator", "servers", "security", "examples", "example", "$id", "$anchor", "200", "default", "__proto__", "get",
]; // oxfmt-ignore

const values = fc.oneof(
  fc.constantFrom<unknown>(
    null, true, false, 0, -1, 1e300, "", "#", "#/", "#/components/schemas/A", "#/paths/~1p/get", "a.yaml", "string", "array", "(", "\\", "[]", "[a-", "é", [], {}, [null], [[]], { $ref: "#/components/schemas/A" }, { $ref: 1 }, { $ref: "#" },
  ),
  fc.constantFrom(...keywords),
  fc.jsonValue({ maxDepth: 3 }),
); // oxfmt-ignore

/** Arbitrary changes of a document. */
export const mutations = fc.array(
  fc.record<Mutation>({
    at: fc.nat(10_000),
    how: fc.constantFrom("remove", "replace", "copy", "rename"),
    value: values,
    from: fc.nat(10_000),
  }),
  { minLength: 1, maxLength: 6 },
);

interface Slot {
  readonly owner: Record<string, unknown>;
  readonly key: string;
}

function slotsOf(value: unknown, slots: Slot[] = []): Slot[] {
  if (typeof value !== "object" || value === null) return slots;
  for (const [key, child] of Object.entries(value)) {
    slots.push({ owner: value as Record<string, unknown>, key });
    slotsOf(child, slots);
  }
  return slots;
}

/** Answers a document with the changes made, one after the other. The given one is left as it is. */
export function mutated(document: unknown, changes: readonly Mutation[]): unknown {
  const copy: unknown = structuredClone(document);
  for (const { at, how, value, from } of changes) {
    const slots = slotsOf(copy);
    const slot = slots[at % Math.max(1, slots.length)];
    if (slot === undefined) continue;
    const { owner, key } = slot;
    const other = slots[from % slots.length];
    if (how === "remove") delete owner[key];
    else if (how === "replace") owner[key] = structuredClone(value);
    else if (how === "copy") owner[key] = structuredClone(other?.owner[other.key]);
    else
      Object.defineProperty(owner, typeof value === "string" ? value : key, {
        value: owner[key],
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return copy;
}
