import type { Definition } from "./definition.ts";
import type { SchemaContext } from "./schema.ts";
import { isObject, listMember, member, objectMember, textMember } from "./json.ts";
import type { JsonObject } from "./json.ts";
import { childPointer, pointerKeys } from "./pointer.ts";

/**
 * Answers the discriminator with every value of its mapping as `#/$defs/ID`, or undefined where there is none. Values that OpenAPI leaves implicit
 * are spelled out: the component name of each oneOf or anyOf branch, and of each schema that extends this one by allOf (3.0.4 section 4.7.25).
 */
export function convertDiscriminator(
  schema: JsonObject,
  pointer: string,
  context: SchemaContext,
): unknown {
  const written = member(schema, "discriminator");
  const propertyName = typeof written === "string" ? written : textMember(written, "propertyName");
  if (propertyName === undefined) return undefined;
  const mapping = new Map<string, string>();
  for (const [value, target] of Object.entries(objectMember(written, "mapping") ?? {})) {
    const found =
      typeof target === "string" ? mappingTarget(context.definition, target, pointer) : undefined;
    if (found !== undefined) mapping.set(value, context.at(found.value, found.pointer));
  }
  const explicit = new Set(mapping.values());
  for (const { name, id } of implicit(schema, pointer, context)) {
    if (!explicit.has(id) && !mapping.has(name)) mapping.set(name, id);
  }
  return {
    propertyName,
    mapping: Object.fromEntries([...mapping].map(([value, id]) => [value, `#/$defs/${id}`])),
  };
}

/** Answers what a mapping's value leads to: a component's name or a reference; a name wins where both could be meant. */
export function mappingTarget(
  { dialect, references }: Definition,
  target: string,
  pointer: string,
): { readonly value: JsonObject; readonly pointer: string } | undefined {
  for (const ref of [`#${childPointer(componentsPointer(dialect), target)}`, target]) {
    const found = references.target(ref, pointer);
    if (found.kind === "found" && isObject(found.value))
      return { value: found.value, pointer: found.pointer };
  }
  return undefined;
}

function* implicit(
  schema: JsonObject,
  pointer: string,
  context: SchemaContext,
): Iterable<{ name: string; id: string }> {
  const { definition, at } = context;
  const branches = [...listMember(schema, "oneOf"), ...listMember(schema, "anyOf")];
  for (const branch of branches) {
    const ref = textMember(branch, "$ref");
    const found = ref === undefined ? undefined : definition.references.target(ref, pointer);
    const name = found?.kind === "found" ? pointerKeys(found.pointer).at(-1) : undefined;
    if (found?.kind === "found" && name !== undefined)
      yield { name, id: at(found.value, found.pointer) };
  }
  if (branches.length > 0) return;
  const prefix = componentsPointer(definition.dialect);
  const components = definition.dialect === "2.0" ? objectMember(definition.root, "definitions") : objectMember(objectMember(definition.root, "components"), "schemas"); // oxfmt-ignore
  for (const [name, child] of Object.entries(components ?? {})) {
    const extended = listMember(child, "allOf").some((part) => {
      const ref = textMember(part, "$ref");
      const found =
        ref === undefined
          ? undefined
          : definition.references.target(ref, childPointer(prefix, name));
      return found?.kind === "found" && found.pointer === pointer;
    });
    if (extended) yield { name, id: at(child, childPointer(prefix, name)) };
  }
}

function componentsPointer(dialect: string): string {
  return dialect === "2.0" ? "/definitions" : "/components/schemas";
}
