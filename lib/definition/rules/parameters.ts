import { itemsOf, locate } from "../context.ts";
import type { Located } from "../context.ts";
import type { Definition } from "../definition.ts";
import type { JsonObject } from "../json.ts";
import { member, textMember } from "../json.ts";
import { rawOperations } from "../operations.ts";
import { childPointer } from "../pointer.ts";
import type { Remark } from "../remark.ts";

/** Where a parameter may be, and how it may be written there (OpenAPI 3.1 section 4.8.12). */
const styles: Readonly<Record<string, readonly string[]>> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
};

const olderTypes = ["string", "number", "integer", "boolean", "array", "file"];

const olderPlaces = ["path", "query", "header", "formData", "body"];

/** A parameter has a place, a style of that place, and one description. The schemas of the standard say of most of it only that they do not fit. */
export function parametersAreWhole(definition: Definition): Remark[] {
  const owners = new Map<string, Located>();
  for (const { item, operation } of rawOperations({ definition }))
    owners.set(item.pointer, item).set(operation.pointer, operation);
  return [...owners.values()].flatMap((owner) =>
    itemsOf(member(owner.value, "parameters"), childPointer(owner.pointer, "parameters")).flatMap(
      (entry) => {
        const { value, pointer } = locate({ definition }, entry.value, entry.pointer);
        const message = definition.dialect === "2.0" ? olderFault(value) : fault(value);
        return message === undefined
          ? []
          : [{ code: "invalid-document", pointer, message } as const];
      },
    ),
  );
}

function fault(parameter: JsonObject): string | undefined {
  const place = textMember(parameter, "in");
  const style = textMember(parameter, "style");
  if (place === "body" || place === "formData")
    return `in: ${place} is of OpenAPI 2.0; describe it as requestBody`;
  if (place === undefined) return undefined;
  const allowed = Object.hasOwn(styles, place) ? styles[place] : undefined;
  if (allowed === undefined) return `in: ${place} is none of ${Object.keys(styles).join(", ")}`;
  if (style !== undefined && !allowed.includes(style))
    return `style: ${style} is none of a ${place} parameter, which has ${allowed.join(", ")}`;
  const described = ["schema", "content"].filter((name) => Object.hasOwn(parameter, name));
  if (described.length === 2) return "schema and content exclude each other; keep one";
  return described.length === 0 ? "neither schema nor content says what it is" : undefined;
}

function olderFault(parameter: JsonObject): string | undefined {
  const place = textMember(parameter, "in");
  if (place === undefined) return undefined;
  if (!olderPlaces.includes(place)) return `in: ${place} is none of ${olderPlaces.join(", ")}`;
  if (place === "body") return undefined;
  if (Object.hasOwn(parameter, "schema"))
    return "schema is for in: body alone; write type beside in";
  const type = textMember(parameter, "type");
  return type === undefined || olderTypes.includes(type)
    ? undefined
    : `type: ${type} is none of ${olderTypes.join(", ")}`;
}
