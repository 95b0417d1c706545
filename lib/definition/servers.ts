import type { ServerPath } from "../compiled/compiled.ts";
import { itemsOf, locate } from "./context.ts";
import type { Context } from "./context.ts";
import { listMember, member, objectMember, textMember } from "./json.ts";
import type { JsonObject } from "./json.ts";
import { childPointer } from "./pointer.ts";

const root: ServerPath = { path: "", variables: {} };

/** Answers the path prefixes of the nearest `servers` list that is not empty: the first of `owners` that has one; 2.0's basePath; else the root. */
export function serversOf(
  context: Context,
  owners: readonly { readonly value: JsonObject; readonly pointer: string }[],
): ServerPath[] {
  if (context.definition.dialect === "2.0") {
    return [
      { path: plainPath(textMember(context.definition.root, "basePath") ?? ""), variables: {} },
    ];
  }
  const owner = owners.find(({ value }) => listMember(value, "servers").length > 0);
  if (owner === undefined) return [root];
  const found = itemsOf(
    member(owner.value, "servers"),
    childPointer(owner.pointer, "servers"),
  ).flatMap((item) => {
    const server = locate(context, item.value, item.pointer);
    return serverPaths(server.value);
  });
  const unique = new Map(found.map((server) => [JSON.stringify(server), server]));
  return unique.size === 0 ? [root] : [...unique.values()];
}

/** A variable at the very beginning may hold scheme and host, so each of its values is put in before these are cut off. */
function serverPaths(server: JsonObject): ServerPath[] {
  const url = textMember(server, "url") ?? "";
  const variables = objectMember(server, "variables") ?? {};
  const [whole, first = ""] = /^\{([^{}]*)\}(?!:)/.exec(url) ?? [];
  const variable = objectMember(variables, first);
  if (whole === undefined || variable === undefined) return [serverPath(url, variables)];
  const values = new Set([textMember(variable, "default") ?? "", ...textsOf(variable)]);
  return [...values].map((value) => serverPath(`${value}${url.slice(whole.length)}`, variables));
}

function serverPath(url: string, variables: JsonObject): ServerPath {
  const path = plainPath(url.replace(/^(?:[^/?#]*:)?\/\/[^/?#]*/, ""));
  const named = Object.entries(variables).filter(([name]) => path.includes(`{${name}}`));
  return {
    path,
    variables: Object.fromEntries(
      named.map(([name, variable]) => {
        const values = textsOf(variable);
        const usual = textMember(variable, "default") ?? values[0] ?? "";
        return [name, { default: usual, ...(values.length === 0 ? {} : { enum: values }) }];
      }),
    ),
  };
}

function textsOf(variable: unknown): string[] {
  return listMember(variable, "enum").filter((value) => typeof value === "string");
}

/** Answers the path with one slash in front and none behind, dot segments resolved against the root, query and fragment cut off. */
function plainPath(written: string): string {
  const segments: string[] = [];
  for (const segment of (written.split(/[?#]/, 1)[0] ?? "").split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "." && segment !== "") segments.push(segment);
  }
  return segments.map((segment) => `/${segment}`).join("");
}
