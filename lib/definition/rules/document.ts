import type { Definition } from "../definition.ts";
import { isObject, member } from "../json.ts";
import { rawOperations } from "../operations.ts";
import { childPointer } from "../pointer.ts";
import type { Remark } from "../remark.ts";

/** A definition without operations can be served, but there is nothing in it to answer with. */
export function someoneIsServed(definition: Definition): Remark[] {
  if (rawOperations({ definition }).length > 0) return [];
  const message = "there is no operation below paths; every request is answered 404";
  return [{ code: "no-operations", pointer: "/paths", message }];
}

/** A mock answers and never calls. Told once, however many there are. */
export function callbacksAreNotSent(definition: Definition): Remark[] {
  const webhooks = member(definition.root, "webhooks");
  const message = "callbacks and webhooks are only shown; the mock calls nobody";
  if (isObject(webhooks) && Object.keys(webhooks).length > 0)
    return [{ code: "callbacks-not-sent", pointer: "/webhooks", message }];
  const first = rawOperations({ definition }).find(({ operation }) =>
    isObject(member(operation.value, "callbacks")),
  );
  if (first === undefined) return [];
  return [
    {
      code: "callbacks-not-sent",
      pointer: childPointer(first.operation.pointer, "callbacks"),
      message,
    },
  ];
}
