import type { Compiled, Parameter, RequestBody, SchemaId } from "../../../lib/compiled/compiled.ts";
import type { Validate, Validators } from "../../../lib/schema/validator.ts";
import { parseMediaType } from "../media-type.ts";
import type { Declared } from "./content-type.ts";
import { typeTreeOf } from "./type-tree.ts";
import type { TypeTree } from "./type-tree.ts";

/** What a value is read with: its schema as types and as a check. */
export interface Reading {
  readonly tree: TypeTree;
  readonly validate: Validate;
}

/** What reading requests needs to know of a definition; found at first use and kept. */
export interface RequestContext {
  /** Answers what values of a schema are read with; undefined where there is no schema. */
  reading(schema: SchemaId | undefined): Reading | undefined;
  /** Answers the media types of a body, parsed, in their order. */
  typesOf(body: RequestBody): readonly Declared[];
  /** Says whether a parameter never counts: 3.x leaves three header fields to other parts of the document. */
  ignores(parameter: Parameter): boolean;
}

const ignoredHeaders = new Set(["accept", "content-type", "authorization"]);

/** Answers the context of a definition. */
export function createContext(compiled: Compiled, validators: Validators): RequestContext {
  const readings = new Map<SchemaId, Reading>();
  const types = new WeakMap<RequestBody, readonly Declared[]>();
  const fields = compiled.version.startsWith("2") ? new Set<string>() : ignoredHeaders;

  return {
    reading(schema) {
      if (schema === undefined) return undefined;
      const known = readings.get(schema);
      if (known !== undefined) return known;
      const reading = {
        tree: typeTreeOf(compiled.schemas, schema),
        validate: validators.request(schema),
      };
      readings.set(schema, reading);
      return reading;
    },
    typesOf(body) {
      const known = types.get(body);
      if (known !== undefined) return known;
      const parsed = body.content.map(([key]) => parseMediaType(key));
      types.set(body, parsed);
      return parsed;
    },
    ignores: ({ in: place, name }) => place === "header" && fields.has(name.toLowerCase()),
  };
}
