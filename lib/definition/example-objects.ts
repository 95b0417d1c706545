import type { Example, Pairs } from "../compiled/compiled.ts";
import { entriesOf, locate } from "./context.ts";
import type { Context } from "./context.ts";
import { isObject, member, textMember } from "./json.ts";
import { childPointer } from "./pointer.ts";

/** Answers `examples` by name, then a lone `example` under the name "". Values outside the document are marked, never fetched. */
export function examplesOf(
  context: Pick<Context, "definition" | "report">,
  owner: unknown,
  pointer: string,
): Pairs<Example> {
  const pairs: [string, Example][] = [];
  for (const entry of entriesOf(
    context,
    member(owner, "examples"),
    childPointer(pointer, "examples"),
  )) {
    const example = locate(context, entry.value, entry.pointer);
    const external = textMember(example.value, "externalValue");
    if (Object.hasOwn(example.value, "value"))
      pairs.push([entry.name, { value: example.value["value"] }]);
    else if (external !== undefined) {
      pairs.push([entry.name, { external }]);
      const message = `externalValue ${external.slice(0, 100)} is never fetched; write the value into the document`;
      context.report({ code: "external-example", pointer: example.pointer, message });
    }
  }
  if (isObject(owner) && Object.hasOwn(owner, "example"))
    pairs.push(["", { value: owner["example"] }]);
  return pairs;
}
