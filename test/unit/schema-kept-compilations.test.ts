import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, onTestFinished, test, vi } from "vitest";
import { keepCompilations } from "../../lib/schema/kept-compilations.ts";
import { findingsOf } from "../support/definition.ts";

/** Counts what any ajv of this process compiles. */
function compiling(): () => number {
  const common = Object.getPrototypeOf(Ajv2020.prototype) as Ajv2020;
  const spy = vi.spyOn(common, "compile");
  onTestFinished(() => spy.mockRestore());
  return () => spy.mock.calls.length;
}

test.for(["2.0", "3.0.4", "3.1.1"])(
  "the standard's schema of OpenAPI %s is compiled for the first document alone",
  async (version) => {
    const head = version === "2.0" ? { swagger: version } : { openapi: version };
    const wrong = { ...head, info: { title: "No version" } };
    const found = await findingsOf(wrong);
    expect(found).toContain("error invalid-document /info");
    const compiled = compiling();
    expect(await findingsOf(wrong)).toEqual(found);
    expect(compiled()).toBe(0);
  },
);

test("an ajv that validates with a schema of another has the errors of its own value", () => {
  keepCompilations();
  const schema = { type: "number" };
  const one = new Ajv2020();
  const other = new Ajv2020();
  expect(one.validate(schema, "text")).toBe(false);
  const compiled = compiling();
  expect(other.validate(schema, 1)).toBe(true);
  expect(other.errors).toBeNull();
  expect(one.errors).toMatchObject([{ keyword: "type" }]);
  expect(other.validate({ type: "string" }, 1)).toBe(false);
  // Its own schema, and nothing for the shared one.
  expect(compiled()).toBe(1);
});
