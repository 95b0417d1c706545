import type { SecurityRequirement, SecurityScheme } from "../compiled/compiled.ts";
import { entriesOf, locate } from "./context.ts";
import type { Context } from "./context.ts";
import { isObject, listMember, objectMember, textMember } from "./json.ts";
import type { JsonObject } from "./json.ts";

/** Answers the document's security schemes by name; 2.0's `basic` as `http` `basic`. */
export function securitySchemesOf(
  context: Pick<Context, "definition">,
): Record<string, SecurityScheme> {
  const { map, pointer } = schemesMap(context);
  return Object.fromEntries(
    entriesOf(context, map, pointer).flatMap((entry) => {
      const scheme = schemeOf(locate(context, entry.value, entry.pointer).value);
      return scheme === undefined ? [] : [[entry.name, scheme] as const];
    }),
  );
}

/** Answers the map of security schemes as the document's version places it. */
export function schemesMap({ definition }: Pick<Context, "definition">): {
  readonly map: JsonObject;
  readonly pointer: string;
} {
  const { root, dialect } = definition;
  if (dialect === "2.0")
    return {
      map: objectMember(root, "securityDefinitions") ?? {},
      pointer: "/securityDefinitions",
    };
  return {
    map: objectMember(objectMember(root, "components"), "securitySchemes") ?? {},
    pointer: "/components/securitySchemes",
  };
}

function schemeOf(value: JsonObject): SecurityScheme | undefined {
  const type = textMember(value, "type");
  if (type === "basic") return { type: "http", scheme: "basic" };
  if (type === "http") return { type, scheme: (textMember(value, "scheme") ?? "").toLowerCase() };
  if (type === "oauth2" || type === "openIdConnect" || type === "mutualTLS") return { type };
  const place = textMember(value, "in");
  if (type !== "apiKey" || (place !== "header" && place !== "query" && place !== "cookie"))
    return undefined;
  return { type, in: place, name: textMember(value, "name") ?? "" };
}

/** Answers what an operation asks for: its own list, also an empty one, replaces the document's. Schemes that nobody declared are not asked for. */
export function securityOf(context: Context, operation: JsonObject): SecurityRequirement[] {
  const owner = Object.hasOwn(operation, "security") ? operation : context.definition.root;
  const { map } = schemesMap(context);
  return listMember(owner, "security")
    .filter(isObject)
    .map((requirement) =>
      context.definition.source
        .keys(requirement)
        .filter((name) => Object.hasOwn(map, name))
        .map((name) => {
          const scopes = listMember(requirement, name).filter((scope) => typeof scope === "string");
          return [name, { scopes }] as const;
        }),
    );
}
