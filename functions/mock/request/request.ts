import type { Compiled, Operation, Parameter, Violation } from "../../../lib/compiled/compiled.ts";
import type { Validators } from "../../../lib/schema/validator.ts";
import { bodyCounts, readBody } from "./body.ts";
import type { BodyReading } from "./body.ts";
import { readContentParameter } from "./content-parameter.ts";
import { createContext } from "./context.ts";
import type { RequestContext } from "./context.ts";
import { placesOf, readParameter } from "./parameters.ts";
import type { ParameterReading, Places } from "./parameters.ts";
import { maxViolations } from "./reading.ts";
import { finish, wait, type Waiting } from "../waiting.ts";
import type { RequestFailure, RequestInput, RequestReader, RequestReading } from "./reading.ts";

/**
 * Answers the reader of a definition's requests: parameters from all their places, then the body, and everything that is wrong with
 * either. Schemas are looked at when an operation first needs them. What is not declared is never read and never an error.
 */
export function createRequestReader(compiled: Compiled, validators: Validators): RequestReader {
  const context = createContext(compiled, validators);
  function* read(operation: Operation, input: RequestInput): Waiting<RequestReading> {
    const { parameters, violations } = yield* readParameters(operation, input, context);
    const { body } = operation;
    const counts = body !== undefined && bodyCounts(compiled.version, operation);
    const reading = counts ? yield* readBody(body, input, context) : undefined;
    return joined(parameters, violations, reading);
  }
  return (operation, input) => finish(read(operation, input));
}

function* readParameters(
  operation: Operation,
  input: RequestInput,
  context: RequestContext,
): Waiting<{ parameters: Map<string, unknown>; violations: Violation[] }> {
  const places = placesOf(input);
  const parameters = new Map<string, unknown>();
  const violations: Violation[] = [];
  for (const parameter of operation.parameters) {
    if (context.ignores(parameter)) continue;
    const pending = readOne(parameter, places, context);
    const reading = pending instanceof Promise ? yield* wait(pending) : pending;
    if (reading.value !== undefined) {
      parameters.set(`${parameter.in}/${parameter.name}`, reading.value);
    }
    violations.push(...reading.violations.slice(0, maxViolations + 1));
  }
  return { parameters, violations };
}

/** A promise only where a lazily loaded part is needed. */
function readOne(
  parameter: Parameter,
  places: Places,
  context: RequestContext,
): ParameterReading | Promise<ParameterReading> {
  const { schema, content } = parameter;
  if (content !== undefined) {
    return readContentParameter(parameter, content, places, context.reading(content[1].schema));
  }
  const reading = context.reading(schema);
  return reading === undefined ? { violations: [] } : readParameter(parameter, places, reading);
}

function joined(
  parameters: ReadonlyMap<string, unknown>,
  violations: readonly Violation[],
  body: BodyReading | undefined,
): RequestReading {
  const all = [...violations, ...(body?.violations ?? [])];
  const failure = body?.failure ?? tooComplex(all);
  return {
    parameters,
    ...(body?.body !== undefined && { body: body.body }),
    ...(failure !== undefined && { failure }),
    violations: all.slice(0, maxViolations),
    truncated: all.length > maxViolations,
  };
}

/** A check that was given up says nothing of the value: that is no violation of its schema. */
function tooComplex(violations: readonly Violation[]): RequestFailure | undefined {
  const found = violations.find(({ keyword }) => keyword === "too-complex");
  if (found === undefined) return undefined;
  const what = found.in === "body" ? "The body" : `The ${found.in} parameter ${found.name}`;
  return { code: "too-complex", detail: `${what} ${found.message}`, headers: {} };
}
