import type { Header, Pairs } from "../compiled/compiled.ts";
import { entriesOf, locate } from "./context.ts";
import type { Context } from "./context.ts";
import { isObject, member } from "./json.ts";
import { examplesOf } from "./example-objects.ts";
import { ownSchema } from "./parameter-schema.ts";
import { childPointer } from "./pointer.ts";

/** Answers response headers, or those of a multipart part, in document order. A lone `example` wins over the first of `examples`. */
export function headersOf(context: Context, headers: unknown, pointer: string): Pairs<Header> {
  return entriesOf(context, headers, pointer).map((entry) => [
    entry.name,
    headerOf(context, entry.value, entry.pointer),
  ]);
}

function headerOf(context: Context, value: unknown, pointer: string): Header {
  const header = locate(context, value, pointer);
  const described = contentEntry(context, header.value, header.pointer) ?? header;
  const schema = schemaOf(context, described.value, described.pointer);
  const example = examplesOf(context, described.value, described.pointer)
    .toSorted(([a], [b]) => Number(b === "") - Number(a === ""))
    .find(([, item]) => "value" in item)?.[1];
  const required = member(header.value, "required") === true;
  return {
    required,
    explode: member(header.value, "explode") === true,
    ...(schema === undefined ? {} : { schema }),
    ...(example !== undefined && "value" in example ? { example: example.value } : {}),
  };
}

function contentEntry(context: Context, header: unknown, pointer: string) {
  const [entry] = entriesOf(context, member(header, "content"), childPointer(pointer, "content"));
  return entry === undefined ? undefined : locate(context, entry.value, entry.pointer);
}

function schemaOf(context: Context, value: unknown, pointer: string): string | undefined {
  if (context.definition.dialect === "2.0")
    return isObject(value) ? ownSchema(context, value, pointer) : undefined;
  const schema = member(value, "schema");
  return schema === undefined
    ? undefined
    : context.schemas.at(schema, childPointer(pointer, "schema"));
}
