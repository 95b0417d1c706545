import type { Parameter, Style } from "../compiled/compiled.ts";
import { entriesOf, itemsOf, locate } from "./context.ts";
import type { Context, Located } from "./context.ts";
import { isObject, member, textMember } from "./json.ts";
import { examplesOf } from "./example-objects.ts";
import { mediaOf } from "./media.ts";
import { collectionStyle, ownSchema } from "./parameter-schema.ts";
import { childPointer } from "./pointer.ts";

/** 3.x: a header parameter of these names is ignored, because content and security speak of them (3.0.4 section 4.7.12.2). */
const ignoredHeaders = new Set(["accept", "content-type", "authorization"]);

const places = new Set(["path", "query", "header", "cookie"]);

/** Answers the raw parameters that count for an operation: the path item's, replaced by the operation's of the same name and place. */
export function parametersInForce(
  context: Pick<Context, "definition">,
  item: Located,
  operation: Located,
): Located[] {
  const byIdentity = new Map<string, Located>();
  for (const owner of [item, operation]) {
    for (const entry of itemsOf(
      member(owner.value, "parameters"),
      childPointer(owner.pointer, "parameters"),
    )) {
      const parameter = locate(context, entry.value, entry.pointer);
      const name = textMember(parameter.value, "name");
      if (name !== undefined)
        byIdentity.set(`${textMember(parameter.value, "in")} ${name}`, parameter);
    }
  }
  return [...byIdentity.values()];
}

/** Answers the parameters as the mock reads them; 2.0's body and form parameters are not among them. */
export function parametersOf(context: Context, inForce: readonly Located[]): Parameter[] {
  const v2 = context.definition.dialect === "2.0";
  return inForce
    .filter((parameter) => counts(parameter, v2))
    .map((parameter) => parameterOf(context, parameter));
}

function counts({ value }: Located, v2: boolean): boolean {
  const place = textMember(value, "in") ?? "";
  if (!places.has(place)) return false;
  return (
    v2 || place !== "header" || !ignoredHeaders.has((textMember(value, "name") ?? "").toLowerCase())
  );
}

function parameterOf(context: Context, { value, pointer }: Located): Parameter {
  const place = textMember(value, "in") as Parameter["in"];
  const v2 = context.definition.dialect === "2.0";
  const schema = member(value, "schema");
  const [content] = entriesOf(context, member(value, "content"), childPointer(pointer, "content"));
  return {
    name: textMember(value, "name") ?? "",
    in: place,
    pointer,
    required: place === "path" || member(value, "required") === true,
    ...(v2 ? collectionStyle(value, place) : styleOf(value, place)),
    allowReserved: member(value, "allowReserved") === true,
    allowEmptyValue: member(value, "allowEmptyValue") === true,
    ...(v2 && isObject(value) ? { schema: ownSchema(context, value, pointer) } : {}),
    ...(!v2 && schema !== undefined
      ? { schema: context.schemas.at(schema, childPointer(pointer, "schema")) }
      : {}),
    ...(!v2 && schema === undefined && content !== undefined
      ? { content: [content.name, mediaOf(context, content.value, content.pointer)] as const }
      : {}),
    examples: v2 ? [] : examplesOf(context, value, pointer),
  };
}

function styleOf(
  value: unknown,
  place: string,
): { readonly style: Style; readonly explode: boolean } {
  const usual = place === "path" || place === "header" ? "simple" : "form";
  const style = (textMember(value, "style") ?? usual) as Style;
  const explode = member(value, "explode");
  return {
    style,
    explode: typeof explode === "boolean" ? explode : style === "form" || style === "cookie",
  };
}
