import type { Definition } from "../definition.ts";
import { isObject, textMember } from "../json.ts";
import { childPointer, pointerKeys, valueAt } from "../pointer.ts";
import type { Remark } from "../remark.ts";
import { walk } from "../walk.ts";

/** Every `$ref` leads to something in this document. Anything outside is refused and never fetched: a mock may not reach out for someone else. */
export function referencesResolve(definition: Definition): Remark[] {
  const remarks: Remark[] = [];
  walk(definition.root, (object, pointer) => {
    for (const keyword of ["$ref", "$dynamicRef"]) {
      const ref = textMember(object, keyword);
      const remark = ref === undefined ? undefined : judge(definition, ref, pointer, object);
      if (remark !== undefined)
        remarks.push({ ...remark, pointer: childPointer(pointer, keyword) });
    }
  });
  return remarks;
}

const describing = new Set(["$ref", "description", "summary", "title"]);

/** 2.0 and 3.0 ignore what stands beside a reference (3.0.4 section 4.7.23.1); a path item's is the exception. */
export function referencesStandAlone({ root, dialect }: Definition): Remark[] {
  if (dialect === "3.1") return [];
  const remarks: Remark[] = [];
  walk(root, (object, pointer) => {
    if (textMember(object, "$ref") === undefined || /^\/paths\/[^/]*$/.test(pointer)) return;
    const beside = Object.keys(object).filter(
      (key) => !describing.has(key) && !key.startsWith("x-"),
    );
    if (beside.length === 0) return;
    const message = `${beside.join(", ").slice(0, 100)} beside $ref is ignored, as OpenAPI ${dialect} says; put the reference into allOf`;
    remarks.push({ code: "ref-siblings-ignored", pointer, message });
  });
  return remarks;
}

function judge(
  definition: Definition,
  ref: string,
  pointer: string,
  object: object,
): Omit<Remark, "pointer"> | undefined {
  const { references, root } = definition;
  const target = references.target(ref, pointer);
  const name = ref.slice(0, 200);
  if (target.kind === "external") {
    return {
      code: "external-ref",
      message: `${name} lies outside the document and is never fetched; bundle it into the document`,
    };
  }
  if (target.kind === "missing") {
    const meant = nearest(root, ref);
    return {
      code: "unresolved-ref",
      message: `${name} does not exist${meant === undefined ? "" : `; did you mean ${meant}?`}`,
    };
  }
  if (target.kind === "found" && references.follow(pointer, object).kind !== "circular")
    return undefined;
  return {
    code: "circular-ref",
    message: `${name} leads back to itself without ever naming anything`,
  };
}

/** Answers the sibling whose name is most like the missing one, where one is like it at all. */
function nearest(root: unknown, ref: string): string | undefined {
  if (!ref.startsWith("#/")) return undefined;
  const keys = pointerKeys(ref.slice(1));
  const name = keys.at(-1) ?? "";
  const siblings = valueAt(root, ref.slice(1, ref.lastIndexOf("/")));
  if (!isObject(siblings)) return undefined;
  const [best] = Object.keys(siblings)
    .slice(0, 2000)
    .filter((sibling) => Math.abs(sibling.length - name.length) <= 3)
    .map((sibling) => ({ sibling, distance: distance(sibling.toLowerCase(), name.toLowerCase()) }))
    .filter((item) => item.distance <= Math.max(1, Math.floor(name.length / 3)))
    .toSorted((a, b) => a.distance - b.distance || (a.sibling < b.sibling ? -1 : 1));
  return best?.sibling;
}

/** Answers how many letters must be put in, taken out or changed (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < Math.min(a.length, 100); i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const change = (row[j] ?? 0) + Number(a[i] !== b[j]);
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
