import { entriesOf } from "../context.ts";
import type { Definition } from "../definition.ts";
import { isObject, member } from "../json.ts";
import { rawOperations } from "../operations.ts";
import { childPointer } from "../pointer.ts";
import type { Remark } from "../remark.ts";

function statusesOf(definition: Definition) {
  return rawOperations({ definition }).map(({ operation }) => {
    const pointer = childPointer(operation.pointer, "responses");
    const entries = entriesOf({ definition }, member(operation.value, "responses"), pointer);
    return { operation, pointer, entries: entries.filter(({ name }) => !name.startsWith("x-")) };
  });
}

/** A key of `responses` is a status of HTTP (100 to 599), a range of a hundred as in 5XX, or default. */
export function statusesExist(definition: Definition): Remark[] {
  return statusesOf(definition).flatMap(({ entries }) =>
    entries
      .filter(({ name }) => !/^(?:[1-5]\d\d|[1-5]XX|default)$/.test(name))
      .map(({ name, pointer }): Remark => {
        const message = `${name.slice(0, 100)} is no status; use 100 to 599, a range as 5XX, or default`;
        return { code: "invalid-status", pointer, message };
      }),
  );
}

/** An answer is final from 200 on; an operation without one, or without any response, cannot answer what was meant. */
export function responsesAreFinal(definition: Definition): Remark[] {
  return statusesOf(definition).flatMap(({ operation, pointer, entries }): Remark[] => {
    if (entries.length === 0) {
      const message = "no response is declared; requests are answered 200 without content";
      return [{ code: "no-responses", pointer: operation.pointer, message }];
    }
    if (entries.some(({ name }) => !/^1(?:\d\d|XX)$/.test(name))) return [];
    const message = "only 1xx is declared, which ends no exchange; requests are answered 501";
    return [{ code: "no-final-response", pointer, message }];
  });
}

/** A response has a description, in every version of the standard. */
export function responsesAreDescribed(definition: Definition): Remark[] {
  return statusesOf(definition)
    .flatMap(({ entries }) => entries)
    .map(({ value, pointer }) => definition.references.follow(pointer, value))
    .filter((target) => target.kind === "found")
    .filter(({ value }) => isObject(value) && !Object.hasOwn(value, "description"))
    .map(({ pointer }) => ({
      code: "invalid-document",
      pointer,
      message: "description is missing",
    }));
}
