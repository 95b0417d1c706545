import type { Example, Media, Pairs, Response } from "../compiled/compiled.ts";
import { entriesOf, locate } from "./context.ts";
import type { Context } from "./context.ts";
import { headersOf } from "./headers.ts";
import { member, textMember } from "./json.ts";
import type { JsonObject } from "./json.ts";
import { contentOf } from "./media.ts";
import { childPointer } from "./pointer.ts";

/** Answers an operation's responses in document order. `types` are 2.0's `produces`. */
export function responsesOf(
  context: Context,
  responses: unknown,
  pointer: string,
  types: readonly string[],
): Pairs<Response> {
  return entriesOf(context, responses, pointer)
    .filter(({ name }) => !name.startsWith("x-"))
    .map((entry) => [
      entry.name.toUpperCase().replace("DEFAULT", "default"),
      responseOf(context, entry, types),
    ]);
}

function responseOf(
  context: Context,
  entry: { readonly value: unknown; readonly pointer: string },
  types: readonly string[],
): Response {
  const { value, pointer } = locate(context, entry.value, entry.pointer);
  const links = entriesOf(context, member(value, "links"), childPointer(pointer, "links")).map(
    ({ name }) => name,
  );
  return {
    pointer,
    description: textMember(value, "description") ?? "",
    headers: headersOf(context, member(value, "headers"), childPointer(pointer, "headers")),
    content:
      context.definition.dialect === "2.0"
        ? producedContent(context, value, pointer, types)
        : contentOf(context, member(value, "content"), childPointer(pointer, "content")),
    ...(links.length === 0 ? {} : { links }),
  };
}

/** 2.0: one schema for every type that the operation produces, and an example for some of them. */
function producedContent(
  context: Context,
  response: JsonObject,
  pointer: string,
  types: readonly string[],
): Pairs<Media> {
  const schema = member(response, "schema");
  const examples = entriesOf(
    context,
    member(response, "examples"),
    childPointer(pointer, "examples"),
  );
  if (schema === undefined && examples.length === 0) return [];
  const file = textMember(schema, "type") === "file";
  const usual = examples.length > 0 ? [] : [file ? "application/octet-stream" : "application/json"];
  const produced = types.length > 0 ? types : usual;
  const names = new Set([...produced, ...examples.map(({ name }) => name)]);
  const id =
    schema === undefined ? undefined : context.schemas.at(schema, childPointer(pointer, "schema"));
  return [...names].map((name) => {
    const own = examples.filter((example) => example.name === name);
    return [
      name,
      {
        pointer: own[0]?.pointer ?? childPointer(pointer, "schema"),
        ...(id === undefined ? {} : { schema: id }),
        examples: own.map((example): [string, Example] => ["", { value: example.value }]),
      },
    ];
  });
}
