import type {
  Compiled,
  Media,
  Operation,
  Pairs,
  Response,
  SchemaId,
} from "../compiled/compiled.ts";
import { createValidators } from "../schema/validator.ts";
import type { Validate, Validators } from "../schema/validator.ts";
import type { Making } from "./examples.ts";
import { childPointer } from "./pointer.ts";

/** Milliseconds of `now` that looking at the author's examples may take. */
const budgetMs = 1000;

/** An example of the author, with the validator that it should pass. */
interface Written {
  readonly value: unknown;
  readonly pointer: string;
  readonly validate: Validate;
}

/** Reports each example of the document that does not fit its schema, as far as the time goes. Such examples are sent as they are written. */
export function checkExamples(compiled: Compiled, { report, now, until }: Making): void {
  const validators = createValidators(compiled.schemas);
  const end = Math.min(now() + budgetMs, until);
  const seen = new Set<string>();
  for (const operation of compiled.operations) {
    for (const { value, pointer, validate } of writtenIn(operation, validators)) {
      if (seen.has(pointer)) continue;
      if (now() >= end) return;
      seen.add(pointer);
      const [fault] = faultsOf(value, validate);
      if (fault === undefined) continue;
      const place = fault.pointer === "" ? "it" : fault.pointer;
      report({
        code: "example-invalid",
        pointer,
        message: `the example does not fit its schema: ${place} ${fault.message}`.slice(0, 300),
      });
    }
  }
}

/** A text may be the JSON of what is meant: headers and parameters are text, and many write bodies that way. */
function faultsOf(value: unknown, validate: Validate) {
  const faults = validate(value).filter(
    ({ keyword }) => keyword !== "too-complex" && keyword !== "schema",
  );
  if (faults.length === 0 || typeof value !== "string") return faults;
  try {
    return validate(JSON.parse(value)).length === 0 ? [] : faults;
  } catch {
    return faults;
  }
}

function* writtenIn(operation: Operation, validators: Validators): Iterable<Written> {
  const sent = (id: SchemaId): Validate => validators.request(id);
  const answered = (id: SchemaId): Validate => validators.response(id);
  for (const { examples, schema, content, pointer } of operation.parameters) {
    if (content !== undefined) yield* inContent([content], sent);
    if (schema === undefined) continue;
    for (const [name, example] of examples) {
      if (!("value" in example)) continue;
      yield {
        value: example.value,
        pointer: examplePointer(pointer, name),
        validate: validators.request(schema),
      };
    }
  }
  yield* inContent(operation.body?.content ?? [], sent);
  for (const [, response] of operation.responses) {
    yield* inHeaders(response, validators);
    yield* inContent(response.content, answered);
  }
}

function* inHeaders({ headers, pointer }: Response, validators: Validators): Iterable<Written> {
  for (const [name, { schema, example }] of headers) {
    if (schema === undefined || example === undefined) continue;
    const below = childPointer(childPointer(pointer, "headers"), name);
    yield {
      value: example,
      pointer: childPointer(below, "example"),
      validate: validators.response(schema),
    };
  }
}

function* inContent(
  content: Pairs<Media>,
  validator: (id: SchemaId) => Validate,
): Iterable<Written> {
  for (const [type, { schema, examples, pointer }] of content) {
    if (schema === undefined) continue;
    for (const [name, example] of examples) {
      // Text of another syntax than JSON is what goes out, not what the schema speaks of.
      if (!("value" in example) || (typeof example.value === "string" && !/[/+]json\b/i.test(type)))
        continue;
      yield {
        value: example.value,
        pointer: examplePointer(pointer, name),
        validate: validator(schema),
      };
    }
  }
}

function examplePointer(owner: string, name: string): string {
  return name === ""
    ? childPointer(owner, "example")
    : childPointer(childPointer(owner, "examples"), name);
}
