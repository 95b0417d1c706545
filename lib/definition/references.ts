import { isObject, textMember } from "./json.ts";
import type { JsonObject } from "./json.ts";
import { childPointer, pointerKeys } from "./pointer.ts";
import { walk } from "./walk.ts";

/** What a reference leads to. `missing` names the pointer or anchor that is not there; `circular` is a chain of references without an end. */
export type Target =
  | { readonly kind: "found"; readonly pointer: string; readonly value: unknown }
  | { readonly kind: "external" | "missing" | "circular" };

/** Resolves the references of one document. Nothing is ever fetched. */
export interface References {
  /** Answers what `ref`, written at `from`, names: one step. */
  readonly target: (ref: string, from: string) => Target;
  /** Answers the object that stands at the pointer, or where its chain of `$ref` ends. */
  readonly follow: (pointer: string, value: unknown) => Target;
}

/** Stands for the document's own address, which is unknown; relative `$id`s are resolved against it. */
const documentUri = "https://document.invalid/";

interface Resource {
  readonly pointer: string;
  readonly uri: string;
}

/** Answers the resolver of a document's references: JSON Pointers (percent-decoded), `$anchor`s and `$id`s within it (JSON Schema 2020-12 section 8). */
export function referencesOf(root: JsonObject): References {
  const resources: Resource[] = [{ pointer: "", uri: documentUri }];
  const anchors = new Map<string, string>();
  walk(root, (object, pointer) => {
    const id = textMember(object, "$id");
    const uri = id === undefined ? undefined : absolute(id, baseOf(pointer));
    if (uri !== undefined && pointer !== "") resources.push({ pointer, uri: withoutFragment(uri) });
    for (const keyword of ["$anchor", "$dynamicAnchor"]) {
      const name = textMember(object, keyword);
      if (name !== undefined) anchors.set(`${baseOf(pointer)}#${name}`, pointer);
    }
  });

  function baseOf(pointer: string): string {
    if (resources.length === 1) return documentUri;
    const inside = resources.findLast((resource) => isWithin(pointer, resource.pointer));
    return inside?.uri ?? documentUri;
  }

  function target(ref: string, from: string, hops = 0): Target {
    const uri = absolute(ref, baseOf(from));
    if (uri === undefined) return { kind: "external" };
    const resource = resources.find((item) => item.uri === withoutFragment(uri));
    if (resource === undefined) return { kind: "external" };
    const fragment = ref.includes("#") ? decoded(ref.slice(ref.indexOf("#") + 1)) : "";
    if (fragment !== "" && !fragment.startsWith("/")) {
      const pointer = anchors.get(`${resource.uri}#${fragment}`);
      return pointer === undefined ? { kind: "missing" } : descend("", pointer, hops);
    }
    const within = descend(resource.pointer, fragment, hops);
    // An `$id` that nobody meant as a base is common, and so are pointers from below it to the document's root.
    return within.kind === "missing" && resource.pointer !== ""
      ? descend("", fragment, hops)
      : within;
  }

  /** Goes down key by key; a `$ref` on the way is followed, so that a reference may lead into a referenced schema. */
  function descend(start: string, path: string, hops: number): Target {
    if (hops > 50) return { kind: "circular" };
    let pointer = "";
    let value: unknown = root;
    for (const key of [...pointerKeys(start), ...pointerKeys(path)]) {
      if (!hasKey(value, key)) {
        const ref = textMember(value, "$ref");
        if (ref === undefined) return { kind: "missing" };
        const other = target(ref, pointer, hops + 1);
        if (other.kind !== "found") return other;
        ({ pointer, value } = other);
      }
      if (!hasKey(value, key)) return { kind: "missing" };
      pointer = childPointer(pointer, key);
      value = (value as Record<string, unknown>)[key];
    }
    return { kind: "found", pointer, value };
  }

  /** Where chains end, by where they begin: a chain of thousands is gone through once, not once for each of its links. */
  const ends = new Map<string, Target>();

  function follow(pointer: string, value: unknown): Target {
    const chain: string[] = [];
    let end: Target = { kind: "found", pointer, value };
    while (end.kind === "found" && isObject(end.value)) {
      const ref = textMember(end.value, "$ref");
      if (ref === undefined) break;
      const known = ends.get(end.pointer);
      if (known !== undefined) {
        end = known;
        break;
      }
      // Until its end is known a link stands for a circle: whoever comes back to it has found one.
      ends.set(end.pointer, { kind: "circular" });
      chain.push(end.pointer);
      end = target(ref, end.pointer);
    }
    for (const link of chain) ends.set(link, end);
    return end;
  }

  return { target: (ref, from) => target(ref, from), follow };
}

function hasKey(value: unknown, key: string): boolean {
  return (
    typeof value === "object" && value !== null && Object.hasOwn(value, key) && key !== "length"
  );
}

function isWithin(pointer: string, above: string): boolean {
  return above === "" || pointer === above || pointer.startsWith(`${above}/`);
}

function absolute(reference: string, base: string): string | undefined {
  if (reference === "" || reference.startsWith("#")) return `${base}${reference}`;
  return URL.canParse(reference, base) ? new URL(reference, base).href : undefined;
}

function withoutFragment(uri: string): string {
  const end = uri.indexOf("#");
  return end === -1 ? uri : uri.slice(0, end);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
