import { itemsOf } from "../context.ts";
import type { Definition } from "../definition.ts";
import { isObject, member } from "../json.ts";
import { rawOperations } from "../operations.ts";
import { childPointer } from "../pointer.ts";
import type { Remark } from "../remark.ts";
import { schemesMap } from "../security.ts";

/** A requirement names schemes that are declared: of others nobody knows what to ask for, so nothing is. */
export function schemesAreDeclared(definition: Definition): Remark[] {
  const { map, pointer: where } = schemesMap({ definition });
  const owners = [
    { value: definition.root, pointer: "" },
    ...rawOperations({ definition }).map(({ operation }) => operation),
  ];
  return owners
    .flatMap(({ value, pointer }) =>
      itemsOf(member(value, "security"), childPointer(pointer, "security")),
    )
    .flatMap(({ value, pointer }) =>
      isObject(value) ? Object.keys(value).map((name) => ({ name, pointer })) : [],
    )
    .filter(({ name }) => !isObject(member(map, name)))
    .map(({ name, pointer }) => ({
      code: "unknown-security-scheme",
      pointer: childPointer(pointer, name),
      message: `${name.slice(0, 100)} is not declared in ${where}; it is not asked for`,
    }));
}
