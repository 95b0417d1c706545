import type { Compiled, Operation, ServerPath } from "../../lib/compiled/compiled.ts";
import type { Target } from "./target.ts";
import { decodeEscapes, parseTarget } from "./target.ts";
import type { Leaf, RequestSegment, Trie } from "./trie.ts";
import { addPath, createTrie, walk } from "./trie.ts";

/** Which reading of a path matched: below the path of a server, as it is, or below a server's free variable. */
export type Reading = "server" | "bare" | "variable";

/** The tables of a definition, by reading, in the order in which they are tried. */
export type Routes = readonly (readonly [reading: Reading, trie: Trie])[];

/** What a request's method and path lead to. `allow` is what the path has, as an `Allow` field lists it. */
export type Route =
  | {
      readonly kind: "operation";
      readonly operation: Operation;
      /** Raw path segments, or the parts of one, by parameter name. */
      readonly pathValues: Readonly<Record<string, string>>;
      readonly reading: Reading;
      readonly target: Target;
    }
  | Exit;

/** A request that leads to no operation. */
export type Exit =
  | { readonly kind: "options" | "no-such-method"; readonly target: Target; readonly allow: string }
  | { readonly kind: "no-such-path" | "bad-escape"; readonly target: Target }
  | { readonly kind: "no-target" | "connect" };

const nothing: Readonly<Record<string, string>> = {};

/** How many paths the enums of one server's variables may make; beyond it only a default counts. */
const maxServerPaths = 100;

/** Answers the tables of a definition. Their order does not depend on the document's. */
export function makeRoutes(compiled: Compiled): Routes {
  const tries = { server: createTrie(), bare: createTrie(), variable: createTrie() };
  for (const operation of compiled.operations) {
    const add = (reading: Reading, prefix: string) => {
      addPath(tries[reading], prefix + operation.path, operation);
      // The root path also without its slash: `/v1` as well as `/v1/`.
      if (operation.path === "/" && prefix !== "") addPath(tries[reading], prefix, operation);
    };
    for (const server of operation.servers) {
      for (const prefix of fixedPrefixes(server)) add("server", prefix);
      const free = freePrefix(server);
      if (free !== undefined) add("variable", free);
    }
    // A server without a path says the same as no server.
    if (!operation.servers.some(({ path }) => path === "")) add("bare", "");
  }
  return [
    ["server", tries.server],
    ["bare", tries.bare],
    ["variable", tries.variable],
  ];
}

/** Answers the prefixes that a server's defaults and enums make. */
function fixedPrefixes({ path, variables }: ServerPath): string[] {
  let prefixes = [path];
  for (const [name, variable] of Object.entries(variables)) {
    const values = [...new Set([variable.default, ...(variable.enum ?? [])])];
    const every = prefixes.length * values.length <= maxServerPaths ? values : [variable.default];
    prefixes = prefixes.flatMap((prefix) =>
      prefix.includes(`{${name}}`)
        ? every.map((value) => prefix.replaceAll(`{${name}}`, value))
        : [prefix],
    );
  }
  return [...new Set(prefixes.map(cleanPrefix))];
}

/** Answers the prefix in which variables without an enum take any segment; undefined where there is none. */
function freePrefix({ path, variables }: ServerPath): string | undefined {
  const prefix = path.replaceAll(/\{([^{}]*)\}/g, (written, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return variable?.enum === undefined ? "{}" : variable.default || written;
  });
  return prefix.includes("{}") ? cleanPrefix(prefix) : undefined;
}

/** A variable may bring slashes of its own, or nothing at all. */
function cleanPrefix(prefix: string): string {
  const trimmed = prefix.replaceAll(/\/{2,}/g, "/").replace(/\/$/, "");
  return trimmed === "" || trimmed.startsWith("/") ? trimmed : `/${trimmed}`;
}

/** Answers the route of a method and a raw request target. */
export type Router = (method: string, rawTarget: string) => Route;

/** Routes that a router remembers, and the longest target among them, in characters. */
const remembered = { routes: 1000, target: 200 };

/** Answers a router that remembers where the last targets led: clients ask for the same ones again and again. */
export function createRouter(routes: Routes): Router {
  const known = new Map<string, Route>();
  return (method, rawTarget) => {
    const key = `${method} ${rawTarget}`;
    const last = known.get(key);
    if (last !== undefined) return last;
    const route = findRoute(routes, method, rawTarget);
    if (known.size >= remembered.routes) known.clear();
    if (rawTarget.length <= remembered.target) known.set(key, route);
    return route;
  };
}

/**
 * Answers the operation for a method and a raw request target: split at slashes first, decoded after, so that `%2F` stays inside
 * its segment. The first match that has the method wins, HEAD as GET.
 */
function findRoute(routes: Routes, method: string, rawTarget: string): Route {
  if (method === "CONNECT") return { kind: "connect" };
  const target = parseTarget(rawTarget);
  if (target === undefined) return { kind: "no-target" };
  if (target.path === "*") {
    return method === "OPTIONS" ? { kind: "options", target, allow: "" } : { kind: "no-target" };
  }
  const segments: RequestSegment[] = [];
  for (const raw of target.path.slice(1).split("/")) {
    const text = decodeEscapes(raw);
    if (text === undefined) return { kind: "bad-escape", target };
    segments.push({ raw, text });
  }
  const allowed = new Set<string>();
  for (const [reading, trie] of routes) {
    const found = walk(trie, segments, (leaves, values): Route | undefined => {
      const leaf = leaves.get(method) ?? (method === "HEAD" ? leaves.get("GET") : undefined);
      if (leaf !== undefined) return { ...matched(leaf, values), reading, target };
      for (const name of leaves.keys()) allowed.add(name);
      return undefined;
    });
    if (found !== undefined) return found;
  }
  if (allowed.size === 0) return { kind: "no-such-path", target };
  const allow = allowText(allowed);
  return { kind: method === "OPTIONS" ? "options" : "no-such-method", target, allow };
}

function matched({ operation, names }: Leaf, values: readonly string[]) {
  const kind = "operation" as const;
  if (names.length === 0) return { kind, operation, pathValues: nothing };
  // Without a prototype a name like `__proto__` is one like any other.
  const pathValues = Object.create(null) as Record<string, string>;
  for (const [at, name] of names.entries()) if (name !== "") pathValues[name] = values[at] ?? "";
  return { kind, operation, pathValues };
}

function allowText(methods: ReadonlySet<string>): string {
  const all = new Set([...methods, "OPTIONS"]);
  if (all.has("GET")) all.add("HEAD");
  return [...all].sort().join(", ");
}
