import { textLimit } from "../compiled/limits.ts";
import { isObject } from "./json.ts";
import { readJson } from "./json-text.ts";
import { hasLongNumbers, numberTexts } from "./number-text.ts";
import type { Place, Remark } from "./remark.ts";
import { lineTable } from "./text.ts";
import type { Source } from "./text.ts";
import { readYaml } from "./yaml-text.ts";

/**
 * Reads a definition's text, JSON or YAML: JSON first, which is faster by far. Answers the source, or remarks that say why there is none.
 * Never throws; a mapping is all that is asked of the content.
 */
export function parseText(
  text: string,
): { readonly source: Source } | { readonly remarks: readonly Remark[] } {
  if (text.length > textLimit) {
    return refuse("too-large", `${text.length} characters; at most ${textLimit} are read`);
  }
  const bare = text.startsWith("\uFEFF") ? text.slice(1) : text;
  if (bare.trim() === "") return refuse("empty-document", "the document is empty");
  const json = readJson(bare);
  const reading = json ?? readYaml(bare);
  if ("remarks" in reading) return reading;
  const { value, orders, literals, offset } = reading;
  if (value === null) return refuse("empty-document", "the document is empty");
  if (!isObject(value)) {
    return refuse(
      "not-a-mapping",
      `the document is ${kindOf(value)}; an OpenAPI document is a mapping`,
    );
  }
  const { exact, confused } = numberTexts(hasLongNumbers(bare) ? literals() : []);
  let lines: ((offset: number) => Place) | undefined;
  const at = (offset: number): Place => (lines ??= lineTable(bare))(offset);
  return {
    source: {
      root: value,
      syntax: json === undefined ? "yaml" : "json",
      numbers: exact,
      remarks: confused.map(({ message, offset }) => ({
        code: "rounded-number",
        pointer: "",
        message,
        place: at(offset),
      })),
      keys: (object) => orders.get(object) ?? Object.keys(object),
      place: (pointer) => at(nearestOffset(pointer, offset)),
    },
  };
}

function nearestOffset(pointer: string, offset: (pointer: string) => number | undefined): number {
  for (let rest = pointer; rest !== ""; rest = rest.slice(0, rest.lastIndexOf("/"))) {
    const found = offset(rest);
    if (found !== undefined) return found;
  }
  return offset("") ?? 0;
}

function refuse(code: Remark["code"], message: string): { remarks: Remark[] } {
  return { remarks: [{ code, pointer: "", message }] };
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return typeof value === "string" ? "plain text" : `a ${typeof value}`;
}
