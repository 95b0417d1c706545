import type { Pairs, RequestBody } from "../compiled/compiled.ts";
import type { Make, ToJson } from "./value.ts";
import { firstValue } from "./value.ts";
import { isRecord } from "./style-text.ts";

/** A body by how it is given to curl: text as it is, pairs of a form, parts of multipart. */
export type SampleBody =
  | { readonly kind: "text"; readonly type: string; readonly text: string }
  | { readonly kind: "form" | "multipart"; readonly pairs: Pairs<string> };

/** Answers a body that is declared: JSON where it is among the media types, else the first of them; undefined where none is. */
export function sampleBody(
  body: RequestBody | undefined,
  { make, json }: { readonly make: Make; readonly json: ToJson },
): SampleBody | undefined {
  const [type, media] = body?.content.find(([type]) => isJson(type)) ?? body?.content[0] ?? [];
  if (type === undefined || media === undefined) return undefined;
  const value = (firstValue(media.examples) ?? { value: make(media.schema) }).value;
  const base = type.split(";")[0]?.trim().toLowerCase();
  if (base === "application/x-www-form-urlencoded")
    return { kind: "form", pairs: pairsOf(value, json) };
  if (base?.startsWith("multipart/")) return { kind: "multipart", pairs: pairsOf(value, json) };
  const text = typeof value === "string" && !isJson(type) ? value : json(value);
  return { kind: "text", type: type.includes("*") ? "application/json" : type, text };
}

function isJson(type: string): boolean {
  return /[/+]json\b/i.test(type);
}

function pairsOf(value: unknown, json: ToJson): Pairs<string> {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    (Array.isArray(member) ? (member as unknown[]) : [member]).map(
      (item) => [name, typeof item === "string" ? item : json(item)] as const,
    ),
  );
}
