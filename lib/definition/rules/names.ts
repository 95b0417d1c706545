import type { Definition } from "../definition.ts";
import { itemsOf, locate } from "../context.ts";
import type { Located } from "../context.ts";
import { member, textMember } from "../json.ts";
import { rawOperations } from "../operations.ts";
import { childPointer } from "../pointer.ts";
import type { Remark } from "../remark.ts";

/** Two parameters of one name in one place: only one of them could be read. */
export function parametersDiffer(definition: Definition): Remark[] {
  const owners = new Map<string, Located>();
  for (const { item, operation } of rawOperations({ definition })) {
    owners.set(item.pointer, item).set(operation.pointer, operation);
  }
  return [...owners.values()].flatMap((owner) => {
    const seen = new Set<string>();
    return itemsOf(
      member(owner.value, "parameters"),
      childPointer(owner.pointer, "parameters"),
    ).flatMap((entry) => {
      const { value } = locate({ definition }, entry.value, entry.pointer);
      const identity = `${textMember(value, "in")} ${textMember(value, "name")}`;
      if (!seen.has(identity)) {
        seen.add(identity);
        return [];
      }
      const message = `a second ${textMember(value, "in")} parameter ${textMember(value, "name")}; keep one`;
      return [{ code: "duplicate-parameter", pointer: entry.pointer, message } as const];
    });
  });
}

/** An operationId names one operation; logs and metrics call a second one by its method and path. */
export function operationIdsDiffer(definition: Definition): Remark[] {
  const first = new Map<string, string>();
  return rawOperations({ definition }).flatMap(({ operation }) => {
    const id = textMember(operation.value, "operationId");
    const other = id === undefined ? undefined : first.get(id);
    if (id !== undefined && other === undefined) first.set(id, operation.pointer);
    if (id === undefined || other === undefined) return [];
    const pointer = childPointer(operation.pointer, "operationId");
    return [
      {
        code: "duplicate-operation-id",
        pointer,
        message: `${id} is the operationId of ${other} too`,
      } as const,
    ];
  });
}
