import type {
  Compiled,
  Header,
  MadeBody,
  Media,
  Operation,
  Pairs,
  Response,
  SchemaId,
} from "../compiled/compiled.ts";
import { makeBody } from "../schema/generate.ts";
import { createValidators } from "../schema/validator.ts";
import type { Validate, Validators } from "../schema/validator.ts";
import type { Report } from "./definition.ts";
import { childPointer } from "./pointer.ts";

/** Milliseconds of `now` that bodies may take. */
const budgetMs = 2000;

/** Characters of JSON that all made bodies may have together; a ConfigMap holds a megabyte, gzipped. */
const sizeLimit = 4 * 1024 * 1024;

/** What making bodies needs from outside. */
export interface Making {
  readonly report: Report;
  readonly now: () => number;
  /** Time of `now` by which all must be done, whatever the budgets say: what came before may have taken long. */
  readonly until: number;
}

interface Maker {
  readonly validators: Validators;
  /** Answers the body of a schema, made once; undefined where there is none or no time is left. */
  readonly body: (id: SchemaId, pointer: string) => MadeBody | undefined;
}

/**
 * Answers the compiled definition with a checked body for each response, and a value for each response header, that has a schema and no example.
 * What cannot be made to fit is told; what does not fit into the budget is left to the mock, and a hint says so.
 */
export function makeExamples(compiled: Compiled, making: Making): Compiled {
  const maker = makerOf(compiled, making);
  const operations = compiled.operations.map((operation): Operation => {
    const responses = operation.responses.map(
      ([status, response]) => [status, withBodies(response, maker)] as const,
    );
    return { ...operation, responses };
  });
  return { ...compiled, operations };
}

function makerOf({ schemas }: Compiled, making: Making): Maker {
  const { report, now } = making;
  const validators = createValidators(schemas);
  const made = new Map<SchemaId, MadeBody | undefined>();
  const until = Math.min(now() + budgetMs, making.until);
  let room = sizeLimit;
  let told = false;

  function body(id: SchemaId, pointer: string): MadeBody | undefined {
    if (!made.has(id)) {
      if (now() >= until || room <= 0) return leaveOut(pointer);
      const validate = impatient(validators.response(id), () => now() >= until);
      const { spent } = validators;
      const value = makeBody(schemas, id, { direction: "response", validate, spent });
      if (value?.violations?.some(({ keyword }) => keyword === "unchecked") === true)
        return leaveOut(pointer);
      made.set(id, value);
      tell(value, pointer);
    }
    const value = made.get(id);
    if (value !== undefined) room -= JSON.stringify(value).length;
    return room < 0 ? leaveOut(pointer) : value;
  }

  function leaveOut(pointer: string): undefined {
    if (told) return;
    told = true;
    const message =
      "from here on bodies are made when they are first asked for: there are too many to make them all now";
    report({ code: "example-not-made", pointer, message });
  }

  function tell(value: MadeBody | undefined, pointer: string): void {
    if (value === undefined) {
      const message = "no value fits this schema; write an example, or requests are answered 500";
      report({ code: "example-impossible", pointer, message });
    }
    const [first] = value?.violations ?? [];
    if (first === undefined) return;
    const place = first.pointer === "" ? "the value" : first.pointer;
    report({
      code: "example-unfit",
      pointer,
      message: `no value was found that fits; ${place} ${first.message}`,
    });
  }

  return { validators, body };
}

/** Answers a validator that gives up for good where one check is too much, or no time is left: further candidates would fare no better. */
function impatient(validate: Validate, isLate: () => boolean): Validate {
  let last: ReturnType<Validate> | undefined;
  return (value) => {
    if (last !== undefined) return last;
    if (isLate())
      return (last = [{ pointer: "", keyword: "unchecked", message: "is not checked" }]);
    const violations = validate(value);
    if (violations.some(({ keyword }) => keyword === "too-complex" || keyword === "schema"))
      last = violations;
    return violations;
  };
}

function withBodies(response: Response, maker: Maker): Response {
  const below = childPointer(response.pointer, "headers");
  const headers: Pairs<Header> = response.headers.map(([name, header]) => [
    name,
    withValue(header, childPointer(below, name), maker),
  ]);
  const content: Pairs<Media> = response.content.map(([type, media]) => [
    type,
    withBody(media, maker),
  ]);
  return { ...response, headers, content };
}

function withBody(media: Media, maker: Maker): Media {
  const hasExample = media.examples.some(([, example]) => "value" in example);
  const made =
    hasExample || media.schema === undefined ? undefined : maker.body(media.schema, media.pointer);
  return made === undefined ? media : { ...media, made };
}

function withValue(header: Header, pointer: string, maker: Maker): Header {
  const hasExample = Object.hasOwn(header, "example");
  const made =
    hasExample || header.schema === undefined ? undefined : maker.body(header.schema, pointer);
  return made === undefined ? header : { ...header, made };
}
