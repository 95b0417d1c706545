import type { Media, Violation } from "../../../lib/compiled/compiled.ts";
import type { Problem } from "../../../lib/problem.ts";
import { makeProblem } from "../../../lib/problem.ts";
import { shapeOf } from "../../../lib/schema/shape.ts";
import type { Content } from "../content.ts";
import { formatOf, jsonType, parseMediaType } from "../media-type.ts";
import type { Mock } from "../mock.ts";
import { serialise } from "../serialise.ts";
import { firstExample, namedExample } from "./example.ts";

/** A body as it is sent. */
export interface Body {
  readonly text: string;
  /** What a generated body breaks of its own schema. */
  readonly violations: readonly Violation[];
  /** Where its value comes from: the document, compiling, or just now from a seed. */
  readonly source: "example" | "made" | "generated" | "nothing";
  /** The example's name; "" for a lone one. */
  readonly example?: string | undefined;
}

interface Value extends Pick<Body, "source" | "example"> {
  readonly value: unknown;
  readonly violations?: readonly Violation[] | undefined;
}

/** About what keeping a body costs besides its text. */
const entryBytes = 512;

/**
 * Answers the body of a response in the type chosen; undefined where there is no content. With a seed it is generated anew, unless an
 * example is named; without, it is serialised once and kept.
 */
export function makeBody(
  mock: Mock,
  content: Content | undefined,
  seed: string | undefined,
): Body | Problem | undefined | Promise<Body | Problem> {
  if (content === undefined) return undefined;
  const { media, contentType } = content;
  const variant = `${contentType}\n${content.example ?? ""}`;
  const known = seed === undefined ? mock.bodies.get(media, variant) : undefined;
  return known ?? madeBody(mock, content, { seed, variant });
}

async function madeBody(
  mock: Mock,
  content: Content,
  { seed, variant }: { seed: string | undefined; variant: string },
): Promise<Body | Problem> {
  const { media, contentType } = content;
  const found = await valueOf(mock, content, seed);
  if (found === undefined) {
    return makeProblem("cannot-generate", `No value fits the schema at ${media.pointer}`);
  }
  const { value, violations = [], source, example } = found;
  const text = await serialise(value, contentType, {
    rawJson: admitsNoString(mock, media),
    numbers: mock.compiled.numbers,
  });
  const body: Body = { text, violations, source, example };
  // Variants count too: a client that names ever new types must not fill the memory with small bodies.
  const bytes = (text.length + variant.length) * 2 + entryBytes;
  if (seed === undefined) mock.bodies.set(media, variant, { value: body, bytes });
  return body;
}

async function valueOf(
  mock: Mock,
  { media, example, contentType }: Content,
  seed: string | undefined,
): Promise<Value | undefined> {
  const named = example === undefined ? undefined : namedExample(media, example);
  const described = media.schema !== undefined || media.itemSchema !== undefined;
  const anew = seed !== undefined && described;
  const picked = named ?? (anew ? undefined : firstExample(media));
  if (picked !== undefined) {
    return { value: picked.value, source: "example", example: picked.name };
  }
  if (!anew && media.made !== undefined) return { ...media.made, source: "made" };
  if (!described) {
    // Any value will do, and JSON has no empty text.
    const json = formatOf(parseMediaType(contentType) ?? jsonType) === "json";
    return { value: json ? {} : "", source: "nothing" };
  }
  const { madeMedia } = await import("./made.ts");
  const made = madeMedia(await mock.maker(), media, seed);
  return made === undefined ? undefined : { ...made, source: anew ? "generated" : "made" };
}

/** Many write the JSON of a body as text; where a string would not fit the schema, it is that JSON. */
function admitsNoString({ compiled }: Mock, { schema }: Media): boolean {
  return schema !== undefined && !shapeOf(compiled.schemas, schema).types.has("string");
}
