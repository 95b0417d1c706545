import { isObject, textMember } from "./json.ts";
import { childPointer, pointerKeys, pointerOf } from "./pointer.ts";

/** What the parser's message says, apart from the code frame that it draws. */
export interface Framed {
  readonly message: string;
  /** Line that its frame marks, counted in the JSON of the checked document with an indent of 2; undefined where there is no frame. */
  readonly line: number | undefined;
}

/** Takes a message of the parser apart. Its first words are a keyword in capitals, its last ones stand beside a `^`. */
export function unframed(text: string): Framed {
  const line = /^\s*>\s*(\d+) \|/m.exec(text)?.[1];
  const [head = ""] = text.split(/\n\s*\n/, 1);
  const said = head
    .replace(/^[A-Z ]+ (?=[a-z])/, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  const message = clearer(said, /\|\s*\^+ (.+)$/m.exec(text)?.[1]?.trim() ?? "");
  return { message: message.slice(0, 300), line: line === undefined ? undefined : Number(line) };
}

/** What stands beside the `^` names the member that must go, or the one that was meant; else it repeats the first words. */
function clearer(said: string, beside: string): string {
  const unexpected = /^(.*) is not expected to be here!$/.exec(beside)?.[1];
  if (unexpected !== undefined) return `${unexpected} is not expected here`;
  const meant = /^Did you mean (.*) here\?$/.exec(beside)?.[1];
  return meant === undefined ? said : `${said}; did you mean ${meant}?`;
}

/** Answers a message that begins with "must" with what must, and what it is now where another type is wanted. */
export function withSubject(message: string, pointer: string, value: unknown): string {
  const lacking = /^must have required property '(.*)'$/.exec(message)?.[1];
  if (lacking !== undefined) return `${lacking} is missing`;
  const name = pointerKeys(pointer).at(-1) ?? "";
  const subject = Number.isNaN(Number.parseInt(name, 10)) ? `${name} ` : "";
  if (!/^must (?:be|NOT have) /.test(message) || subject === " ") return message;
  const wanted = /^must be (string|number|integer|boolean|array|object)$/.exec(message)?.[1];
  if (wanted === undefined) return `${subject}${message}`;
  const found = (JSON.stringify(value) ?? "nothing").slice(0, 50);
  const isBare = wanted === "string" && ["number", "boolean"].includes(typeof value);
  return `${subject}${message}, found ${found}${isBare ? "; write it in quotes" : ""}`;
}

/** Answers the pointer of what stands in a line of `JSON.stringify(value, null, 2)`. */
export function pointerOfLine(value: unknown, line: number): string | undefined {
  let current = 0;
  function find(item: unknown, pointer: string): string | undefined {
    current += 1;
    if (current === line) return pointer;
    if (typeof item !== "object" || item === null) return undefined;
    const entries = Object.entries(item);
    for (const [key, child] of entries) {
      if (child === undefined) continue;
      const found = find(child, childPointer(pointer, key));
      if (found !== undefined) return found;
    }
    if (entries.length > 0) current += 1;
    return current === line ? pointer : undefined;
  }
  return find(value, "");
}

/** Answers the pointer of a place as the parser's rules name it, `/paths/bets/{id}/get/parameters/limit`: its slashes are not escaped. */
export function pointerOfPlace(root: object, place: string): string {
  const [, first = "", ...rest] = place.split("/");
  const head = (root as Record<string, unknown>)[first];
  if (first !== "paths" || !isObject(head)) return pointerOf([first, ...rest]);
  const tail = place.slice("/paths".length);
  const path = Object.keys(head)
    .filter((key) => tail === key || tail.startsWith(`${key}/`))
    .toSorted((a, b) => b.length - a.length)[0];
  if (path === undefined) return "/paths";
  const [method, kind, name] = tail.slice(path.length + 1).split("/");
  const keys = [first, path, ...(method === undefined || method === "" ? [] : [method])];
  if (kind === "responses" && name !== undefined) return pointerOf([...keys, kind, name]);
  if (kind !== "parameters" || method === undefined) return pointerOf(keys);
  const operation = (head[path] as Record<string, unknown>)[method];
  const list =
    isObject(operation) && Array.isArray(operation["parameters"])
      ? (operation["parameters"] as unknown[])
      : [];
  const index = list.findIndex((item) => textMember(item, "name") === name);
  return pointerOf(index === -1 ? keys : [...keys, kind, index]);
}
