import { isFieldValue } from "../../field-value.ts";
import { entriesOf, locate } from "../context.ts";
import type { Definition } from "../definition.ts";
import { examplesOf } from "../example-objects.ts";
import { member } from "../json.ts";
import { childPointer } from "../pointer.ts";
import type { Remark } from "../remark.ts";
import { rawOperations } from "../operations.ts";

/** A value with a line break would end the header, and what follows would be another; beyond Latin-1 nothing can be carried: it is left out. */
export function headersCanBeSent(definition: Definition): Remark[] {
  const context = { definition, report: () => undefined };
  return rawOperations(context)
    .flatMap(({ operation }) =>
      entriesOf(
        context,
        member(operation.value, "responses"),
        childPointer(operation.pointer, "responses"),
      ),
    )
    .map((entry) => locate(context, entry.value, entry.pointer))
    .flatMap((response) =>
      entriesOf(
        context,
        member(response.value, "headers"),
        childPointer(response.pointer, "headers"),
      ),
    )
    .flatMap((entry) => {
      const header = locate(context, entry.value, entry.pointer);
      const schema = locate(
        context,
        member(header.value, "schema") ?? {},
        childPointer(header.pointer, "schema"),
      );
      const examples = examplesOf(context, header.value, header.pointer).map(([, example]) =>
        "value" in example ? example.value : "",
      );
      const values = [
        ...examples,
        member(schema.value, "example"),
        member(schema.value, "default"),
        member(header.value, "default"),
      ];
      const texts = values.filter((value) => typeof value === "string");
      const unfit = texts.find((text) => !isFieldValue(text));
      if (unfit === undefined) return [];
      const message = `the value of ${entry.name} holds ${strangerIn(unfit)}; it is left out`;
      return [{ code: "header-value", pointer: header.pointer, message } as const];
    });
}

function strangerIn(text: string): string {
  if (/[\r\n]/.test(text)) return "a line break";
  const stranger = Array.from(text).find((character) => !isFieldValue(character)) ?? "";
  return `U+${(stranger.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}, which no header can carry`;
}
