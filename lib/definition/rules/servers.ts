import { itemsOf } from "../context.ts";
import type { Definition } from "../definition.ts";
import { member, objectMember, textMember } from "../json.ts";
import { rawOperations } from "../operations.ts";
import { childPointer } from "../pointer.ts";
import type { Remark } from "../remark.ts";

/** Every variable of a server's URL is declared; one that is not takes any segment. */
export function serverVariablesAreDeclared(definition: Definition): Remark[] {
  if (definition.dialect === "2.0") return [];
  const owners = [
    { value: definition.root, pointer: "" },
    ...rawOperations({ definition }).flatMap(({ item, operation }) => [item, operation]),
  ];
  return owners
    .flatMap(({ value, pointer }) =>
      itemsOf(member(value, "servers"), childPointer(pointer, "servers")),
    )
    .flatMap(({ value, pointer }) => {
      const names = [...(textMember(value, "url") ?? "").matchAll(/\{([^{}]+)\}/g)].map(
        ([, name = ""]) => name,
      );
      const declared = objectMember(value, "variables") ?? {};
      return names
        .filter((name) => !Object.hasOwn(declared, name))
        .map((name): Remark => {
          const message = `{${name}} is not declared in variables; it takes any segment`;
          return {
            code: "undeclared-server-variable",
            pointer: childPointer(pointer, "url"),
            message,
          };
        });
    });
}
