import type { Media, Violation } from "../../../lib/compiled/compiled.ts";
import type { Problem } from "../../../lib/problem.ts";
import { shapeOf } from "../../../lib/schema/shape.ts";
import type { Content } from "../content.ts";
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

/**
 * Answers the body of a response in the type chosen; undefined where there is no content. With a seed it is generated anew, unless an
 * example is named; without, it is serialised once and kept.
 */
export async function makeBody(
  mock: Mock,
  content: Content | undefined,
  seed: string | undefined,
): Promise<Body | Problem | undefined> {
  if (content === undefined) return undefined;
  const { media, contentType } = content;
  const key = `${media.pointer}\n${contentType}\n${content.example ?? ""}`;
  const known = seed === undefined ? mock.bodies.get(key) : undefined;
  if (known !== undefined) return known;
  const { value, violations = [], source, example } = valueOf(content, seed);
  const text =
    value === undefined ? "" : await serialise(value, contentType, admitsNoString(mock, media));
  const body: Body = { text, violations, source, example };
  if (seed === undefined) mock.bodies.set(key, body, text.length * 2);
  return body;
}

function valueOf({ media, example }: Content, seed: string | undefined): Value {
  const named = example === undefined ? undefined : namedExample(media, example);
  const picked = named ?? (seed === undefined ? firstExample(media) : undefined);
  if (picked !== undefined) {
    return { value: picked.value, source: "example", example: picked.name };
  }
  if (media.made !== undefined) return { ...media.made, source: "made" };
  return { value: undefined, source: "nothing" };
}

/** Many write the JSON of a body as text; where a string would not fit the schema, it is that JSON. */
function admitsNoString({ compiled }: Mock, { schema }: Media): boolean {
  return schema !== undefined && !shapeOf(compiled.schemas, schema).types.has("string");
}
