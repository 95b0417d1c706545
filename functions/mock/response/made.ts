import type { Compiled, MadeBody, Media, SchemaId } from "../../../lib/compiled/compiled.ts";
import { makeBody } from "../../../lib/schema/generate.ts";
import type { Validators } from "../../../lib/schema/validator.ts";

/** Makes values from schemas: those that the compiler left, and those that a seed varies. */
export interface Maker {
  /** Answers a value of a schema, checked; undefined where there is none. The same seed, the same value. */
  value(this: void, schema: SchemaId, seed?: string): MadeBody | undefined;
}

/** Answers the maker of a definition. It is loaded when something is missing, since most definitions come with all that is static. */
export function createMaker({ schemas }: Compiled, validators: Validators): Maker {
  return {
    value: (schema, seed) =>
      makeBody(schemas, schema, {
        direction: "response",
        validate: validators.response(schema),
        ...(seed === undefined ? {} : { seed }),
      }),
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
