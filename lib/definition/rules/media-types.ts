import type { Definition } from "../definition.ts";
import { itemsOf } from "../context.ts";
import { isObject, member, objectMember } from "../json.ts";
import { childPointer } from "../pointer.ts";
import type { Remark } from "../remark.ts";
import { walk } from "../walk.ts";

/** RFC 9110 section 8.3.1, and the ranges of section 12.5.1 that OpenAPI allows as keys. */
const mediaType = /^(?:\*\/\*|[!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+)\s*(?:;.*)?$/;

/** Not a media type, but close enough to be sent as it stands. */
const sendable = /^[!-~]+\/[ -~]+$/;

const meant: Readonly<Record<string, string>> = {
  json: "application/json", xml: "application/xml", yaml: "application/yaml", text: "text/plain", html: "text/html",
  form: "application/x-www-form-urlencoded", multipart: "multipart/form-data", csv: "text/csv", pdf: "application/pdf",
}; // oxfmt-ignore

/** Keys of `content`, and 2.0's `consumes` and `produces`, are media types: no request or answer could carry another name. */
export function mediaTypesAreNamed({ root, dialect }: Definition): Remark[] {
  const remarks: Remark[] = [];
  const check = (name: unknown, pointer: string): void => {
    if (typeof name !== "string" || mediaType.test(name)) return;
    const better = meant[name.toLowerCase()];
    const hint = better === undefined ? "" : `; did you mean ${better}?`;
    const message = `${JSON.stringify(name).slice(0, 100)} is no media type${hint}`;
    const severity = sendable.test(name) ? "warning" : "error";
    remarks.push({ code: "invalid-media-type", pointer, message, severity });
  };
  walk(root, (object, pointer) => {
    if (dialect === "2.0") {
      for (const key of ["consumes", "produces"]) {
        for (const item of itemsOf(member(object, key), childPointer(pointer, key)))
          check(item.value, item.pointer);
      }
      return;
    }
    const below = childPointer(pointer, "content");
    for (const [name, media] of Object.entries(objectMember(object, "content") ?? {})) {
      if (isObject(media)) check(name, childPointer(below, name));
    }
  });
  return remarks;
}
