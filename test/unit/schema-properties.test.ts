import { Validator } from "@cfworker/json-schema";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { makeBody } from "../../lib/schema/generate.ts";
import { createValidators } from "../../lib/schema/validator.ts";
import { anySchema } from "../support/any-schema.ts";

test.for([["static", undefined], ["seeded", "any seed"]] as const)("a %s body fits any schema of the kinds that are promised, says a second validator too", ([, seed]) => {
  fc.assert(
    fc.property(anySchema(), (root) => {
      const schemas = { root };
      const validate = createValidators(schemas).response("root");
      const made = makeBody(schemas, "root", { direction: "response", validate, ...(seed === undefined ? {} : { seed }) });
      expect(made).toBeDefined();
      expect(made?.violations ?? []).toEqual([]);
      const second = new Validator({ $ref: "#/$defs/root", $defs: schemas }, "2020-12");
      expect(second.validate(made?.value).errors).toEqual([]);
      const again = makeBody(schemas, "root", { direction: "response", validate, ...(seed === undefined ? {} : { seed }) });
      expect(JSON.stringify(again)).toBe(JSON.stringify(made));
    }),
    { numRuns: 100 },
  );
}); // oxfmt-ignore
