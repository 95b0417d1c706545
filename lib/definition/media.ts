import type { Encoding, Media, Pairs, Style } from "../compiled/compiled.ts";
import { entriesOf, locate } from "./context.ts";
import type { Context } from "./context.ts";
import { examplesOf } from "./example-objects.ts";
import { headersOf } from "./headers.ts";
import { isObject, member, textMember } from "./json.ts";
import { childPointer } from "./pointer.ts";

/** Answers a `content` map in document order. Media type names are kept as written. */
export function contentOf(context: Context, content: unknown, pointer: string): Pairs<Media> {
  return entriesOf(context, content, pointer).map((entry) => [
    entry.name,
    mediaOf(context, entry.value, entry.pointer),
  ]);
}

/** Answers a Media Type Object: its schema by id, its examples as pairs. */
export function mediaOf(context: Context, value: unknown, pointer: string): Media {
  const media = locate(context, value, pointer);
  const schema = member(media.value, "schema");
  const encoding = encodingOf(
    context,
    member(media.value, "encoding"),
    childPointer(media.pointer, "encoding"),
  );
  return {
    pointer: media.pointer,
    ...(schema === undefined
      ? {}
      : { schema: context.schemas.at(schema, childPointer(media.pointer, "schema")) }),
    examples: examplesOf(context, media.value, media.pointer),
    ...(encoding === undefined ? {} : { encoding }),
  };
}

function encodingOf(
  context: Context,
  value: unknown,
  pointer: string,
): Record<string, Encoding> | undefined {
  const entries = entriesOf(context, value, pointer).filter((entry) => isObject(entry.value));
  if (entries.length === 0) return undefined;
  return Object.fromEntries(
    entries.map((entry): [string, Encoding] => {
      const headers = headersOf(
        context,
        member(entry.value, "headers"),
        childPointer(entry.pointer, "headers"),
      );
      return [
        entry.name,
        { ...serialisation(entry.value), ...(headers.length > 0 ? { headers } : {}) },
      ];
    }),
  );
}

function serialisation(value: unknown): Encoding {
  const contentType = textMember(value, "contentType");
  const style = textMember(value, "style") as Style | undefined;
  const explode = member(value, "explode");
  const allowReserved = member(value, "allowReserved");
  return {
    ...(contentType === undefined ? {} : { contentType }),
    ...(style === undefined ? {} : { style }),
    ...(typeof explode === "boolean" ? { explode } : {}),
    ...(typeof allowReserved === "boolean" ? { allowReserved } : {}),
  };
}
