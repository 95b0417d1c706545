import type { KubeObject } from "../cluster/cluster.ts";
import { textOf } from "./json.ts";
import { asJson } from "./resource.ts";
import { readPath } from "./json-path.ts";

/** Answers whether an object is selected. */
export type Selects = (object: KubeObject) => boolean;

/** A selector that cannot be read; the message is the API server's. */
export class SelectorError extends Error {
  override readonly name = "SelectorError";
}

const requirement =
  /^(?:(!)\s*([^\s!=,()]+)|([^\s!=,()]+)\s*(?:(==|=|!=)\s*([^\s!=,()]*)|\s(in|notin)\s*\(([^()]*)\))?)$/;

/**
 * Answers what a label selector in Kubernetes' syntax selects: `a=b`, `a==b`, `a!=b`, `a in (b,c)`, `a notin (b,c)`, `a`, `!a`, joined
 * by commas; "" selects all. `!=` and `notin` also select what lacks the label.
 * @throws SelectorError where it cannot be read
 */
export function labelSelector(text: string): Selects {
  const tests = splitOutsideParentheses(text).map((part) => {
    const match = requirement.exec(part);
    if (match === null) throw new SelectorError(`unable to parse requirement: "${part}"`);
    const [, not, absent, key = "", equals, value = "", set, values = ""] = match;
    if (not !== undefined) return (labels: Labels) => !has(labels, absent ?? "");
    const listed = equals === undefined ? values.split(",").map((item) => item.trim()) : [value];
    if (equals === undefined && set === undefined) return (labels: Labels) => has(labels, key);
    if (equals === "!=" || set === "notin")
      return (labels: Labels) => !has(labels, key) || !listed.includes(labels[key] ?? "");
    return (labels: Labels) => has(labels, key) && listed.includes(labels[key] ?? "");
  });
  return (object) => tests.every((test) => test(object.metadata.labels ?? {}));
}

type Labels = Readonly<Record<string, string>>;

function has(labels: Labels, key: string): boolean {
  return Object.hasOwn(labels, key);
}

function splitOutsideParentheses(text: string): string[] {
  if (text.trim() === "") return [];
  return text.split(/,(?![^(]*\))/).map((part) => part.trim());
}

/**
 * Answers what a field selector selects: `path=value`, `path==value`, `path!=value`, joined by commas. `selectable` names the paths that the
 * kind offers beside metadata.name and metadata.namespace; an absent field counts as "".
 * @throws SelectorError where it cannot be read or names another field
 */
export function fieldSelector(text: string, selectable: readonly string[]): Selects {
  const parts = text.trim() === "" ? [] : text.split(",");
  const tests = parts.map((part) => {
    const match = /^([^=!]+)(==|=|!=)(.*)$/.exec(part.trim());
    if (match === null)
      throw new SelectorError(
        `invalid field selector: "${part}"; can't understand what it compares`,
      );
    const [, path = "", operator, value = ""] = match;
    if (!["metadata.name", "metadata.namespace", ...selectable].includes(path))
      throw new SelectorError(`field label not supported: ${path}`);
    return (object: KubeObject) =>
      (textOf(readPath(asJson(object), path) ?? "") === value) === (operator !== "!=");
  });
  return (object) => tests.every((test) => test(object));
}
