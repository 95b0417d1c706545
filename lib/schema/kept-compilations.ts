import { Ajv2020 } from "ajv/dist/2020.js";
import type { AnySchema, ValidateFunction } from "ajv/dist/2020.js";

type Ajv = Pick<Ajv2020, "compile" | "errors" | "opts">;

interface Common {
  validate: (this: Ajv, schema: string | AnySchema, data: unknown) => unknown;
}

/** What all versions of ajv have in common, whatever draft of JSON Schema they are for. */
const common = Object.getPrototypeOf(Ajv2020.prototype) as Common;
const original = common.validate;
const kept = new WeakMap<AnySchema & object, ValidateFunction>();

/**
 * Makes `ajv.validate(SCHEMA, …)` compile a schema once in a process, also where each call comes from a new ajv: the parser of OpenAPI
 * documents makes one for each document, and compiling the standard's schema is nearly all the work that it does. A schema is known
 * by its identity: it must not change in between, and all who validate with it must want the same options. Our own engine uses
 * `compile`, which stays as it is. A second call changes nothing.
 */
export function keepCompilations(): void {
  common.validate = validate;
}

function validate(this: Ajv, schema: string | AnySchema, data: unknown): unknown {
  if (typeof schema !== "object") return original.call(this, schema, data);
  const known = kept.get(schema) ?? compiled(this, schema);
  kept.set(schema, known);
  const valid = known(data);
  this.errors = known.errors ?? null;
  return valid;
}

function compiled(ajv: Ajv, schema: AnySchema): ValidateFunction {
  // A process waits for this once: the standard's schemas are right, and faster code would not pay for the time that it takes to make.
  Object.assign(ajv.opts, { validateSchema: false, inlineRefs: false });
  ajv.opts.code.optimize = 0;
  return ajv.compile(schema);
}
