import type { Encoding, Media, Pairs, RequestBody, Schema } from "../compiled/compiled.ts";
import { locate } from "./context.ts";
import type { Context, Located } from "./context.ts";
import { member, textMember } from "./json.ts";
import { contentOf } from "./media.ts";
import { collectionStyle, ownSchema } from "./parameter-schema.ts";
import { childPointer } from "./pointer.ts";

/** 3.0 ignores a body where HTTP gives it no meaning (3.0.4 section 4.7.10.1); 3.1 lets it count. */
const bodiless = new Set(["get", "head", "delete"]);

/** Answers the request body of an operation, or undefined where none counts. `types` are 2.0's `consumes`. */
export function bodyOf(
  context: Context,
  operation: Located,
  method: string,
  form: { readonly parameters: readonly Located[]; readonly types: readonly string[] },
): RequestBody | undefined {
  if (context.definition.dialect === "2.0")
    return bodyOfParameters(context, operation, form.parameters, form.types);
  const written = member(operation.value, "requestBody");
  if (written === undefined) return undefined;
  if (context.definition.dialect === "3.0" && bodiless.has(method)) {
    const message = `the body of ${method.toUpperCase()} is ignored, as OpenAPI 3.0 says; from 3.1 on it counts`;
    context.report({
      code: "body-ignored",
      pointer: childPointer(operation.pointer, "requestBody"),
      message,
    });
    return undefined;
  }
  const body = locate(context, written, childPointer(operation.pointer, "requestBody"));
  return {
    pointer: body.pointer,
    required: member(body.value, "required") === true,
    content: contentOf(
      context,
      member(body.value, "content"),
      childPointer(body.pointer, "content"),
    ),
  };
}

function bodyOfParameters(
  context: Context,
  operation: Located,
  parameters: readonly Located[],
  types: readonly string[],
): RequestBody | undefined {
  const body = parameters.find(({ value }) => value["in"] === "body");
  if (body !== undefined) return wholeBody(context, body, types);
  const fields = parameters.filter(({ value }) => value["in"] === "formData");
  return fields.length === 0 ? undefined : formBody(context, operation, fields, types);
}

function wholeBody(
  context: Context,
  { value, pointer }: Located,
  types: readonly string[],
): RequestBody {
  const schema = member(value, "schema");
  const media: Media = {
    pointer,
    ...(schema === undefined
      ? {}
      : { schema: context.schemas.at(schema, childPointer(pointer, "schema")) }),
    examples: [],
  };
  const consumed = types.length === 0 ? ["application/json"] : types;
  return {
    pointer,
    required: value["required"] === true,
    content: consumed.map((type) => [type, media]),
  };
}

/** Form parameters become one object; a file asks for multipart, which 2.0 documents often forget to say. */
function formBody(
  context: Context,
  operation: Located,
  fields: readonly Located[],
  types: readonly string[],
): RequestBody {
  const required = fields.filter(({ value }) => value["required"] === true).map(nameOf);
  const schema: Schema = {
    type: "object",
    properties: Object.fromEntries(
      fields.map((field) => [
        nameOf(field),
        { $ref: `#/$defs/${ownSchema(context, field.value, field.pointer)}` },
      ]),
    ),
    ...(required.length === 0 ? {} : { required }),
  };
  const encoding = Object.fromEntries(
    fields
      .filter(({ value }) => value["type"] === "array")
      .map((field): [string, Encoding] => [
        nameOf(field),
        collectionStyle(field.value, "formData"),
      ]),
  );
  const pointer = childPointer(operation.pointer, "parameters");
  const media: Media = {
    pointer,
    schema: context.schemas.made(schema),
    examples: [],
    ...(Object.keys(encoding).length === 0 ? {} : { encoding }),
  };
  const content: Pairs<Media> = formTypes(fields, types).map((type) => [type, media]);
  return { pointer, required: required.length > 0, content };
}

function formTypes(fields: readonly Located[], types: readonly string[]): readonly string[] {
  const forms = types.filter(
    (type) => type.startsWith("multipart/") || type.includes("x-www-form-urlencoded"),
  );
  const file = fields.some(({ value }) => value["type"] === "file");
  if (file && !forms.some((type) => type.startsWith("multipart/")))
    return ["multipart/form-data", ...forms];
  return forms.length > 0 ? forms : ["application/x-www-form-urlencoded"];
}

function nameOf({ value }: Located): string {
  return textMember(value, "name") ?? "";
}
