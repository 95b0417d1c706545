import type { Definition } from "../definition.ts";
import { isObject, objectMember } from "../json.ts";
import { plainName } from "../parts.ts";
import { childPointer } from "../pointer.ts";
import type { Remark } from "../remark.ts";

/** Names of components are plain: letters, digits, dots, dashes, underscores. Others work here and break other tools. */
export function componentNamesArePlain({ root, dialect }: Definition): Remark[] {
  const components = objectMember(root, "components") ?? {};
  const maps =
    dialect === "2.0"
      ? [{ pointer: "/definitions", map: objectMember(root, "definitions") }]
      : Object.entries(components)
          .filter(([kind]) => !kind.startsWith("x-"))
          .map(([kind, map]) => ({ pointer: childPointer("/components", kind), map }));
  return maps.flatMap(({ pointer, map }) =>
    (isObject(map) ? Object.keys(map) : [])
      .filter((name) => !plainName.test(name) && !name.startsWith("x-"))
      .map((name) => ({
        code: "invalid-name",
        pointer: childPointer(pointer, name),
        message: `${JSON.stringify(name).slice(0, 100)} is no name of a component: only letters, digits, dots, dashes and underscores are`,
      })),
  );
}
