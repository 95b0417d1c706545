import type { Compiled, MadeBody, Media, SchemaId } from "../../../lib/compiled/compiled.ts";
import { makeBody } from "../../../lib/schema/generate.ts";
import type { Validators } from "../../../lib/schema/validator.ts";

/** Makes values from schemas: those that the compiler left, and those that a seed varies. */
export interface Maker {
  /** Answers a value of a schema, checked; undefined where there is none without a seed. The same seed, the same value. */
  value(this: void, schema: SchemaId, seed?: string): MadeBody | undefined;
}

/** Answers the maker of a definition. It is loaded when something is missing, since most definitions come with all that is static. */
export function createMaker({ schemas }: Compiled, validators: Validators): Maker {
  const possible = new Map<SchemaId, boolean>();
  const make = (schema: SchemaId, seed: string | undefined): MadeBody | undefined =>
    makeBody(schemas, schema, {
      direction: "response",
      validate: validators.response(schema),
      spent: validators.spent,
      ...(seed === undefined ? {} : { seed }),
    });
  const plain = (schema: SchemaId): MadeBody | undefined => {
    if (possible.get(schema) === false) return undefined;
    const made = make(schema, undefined);
    possible.set(schema, made !== undefined);
    return made;
  };
  const isPossible = (schema: SchemaId): boolean =>
    possible.get(schema) ?? plain(schema) !== undefined;
  return {
    value(schema, seed) {
      if (seed === undefined) return plain(schema);
      // Finding that there is none is the most work of all: it is done once, not for each seed.
      return isPossible(schema) ? make(schema, seed) : undefined;
    },
  };
}

/** Answers the body of a media type as made from its schema; of one that is a sequence of items, from the schema of an item. */
export function madeMedia(
  { value }: Maker,
  { schema, itemSchema, pointer }: Media,
  seed: string | undefined,
): MadeBody | undefined {
  // Two operations with one schema need not answer the same.
  const varied = seed === undefined ? undefined : `${seed}\n${pointer}`;
  const id = schema ?? itemSchema;
  if (id === undefined) return undefined;
  const made = value(id, varied);
  return made === undefined || schema !== undefined ? made : { ...made, value: [made.value] };
}
