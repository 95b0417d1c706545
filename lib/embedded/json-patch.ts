import type { JsonPatch } from "../cluster/cluster.ts";
import type { Json, JsonObject } from "./json.ts";
import { copyJson, isList, isObject, memberOf, sameJson } from "./json.ts";
import type { Asked } from "./refusal.ts";
import { refusal } from "./refusal.ts";

/**
 * Answers the object after a JSON Patch (RFC 6902): all operations or none.
 * @throws ClusterError 422 where a test fails or a path does not exist
 */
export function patchJson(
  object: JsonObject,
  operations: readonly JsonPatch[],
  asked: Asked,
): JsonObject {
  let patched: Json | undefined = object;
  for (const operation of operations) {
    patched = operate(patched, segmentsOf(operation.path), operation);
    if (patched === undefined)
      throw refusal(asked, {
        code: 422,
        reason: "Invalid",
        message: `the server rejected our request due to an error in our request: ${operation.op} operation does not apply at ${JSON.stringify(operation.path)}`,
      });
  }
  if (isObject(patched)) return patched;
  throw refusal(asked, { code: 422, reason: "Invalid", message: "the patch leaves no object" });
}

function segmentsOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value after the operation, or undefined where it does not apply. */
function operate(
  value: Json | undefined,
  path: readonly string[],
  operation: JsonPatch,
): Json | undefined {
  const [segment, ...rest] = path;
  if (segment === undefined) return atRoot(value, operation);
  if (isObject(value)) return inObject(value, { segment, rest }, operation);
  if (isList(value)) return inList(value, { segment, rest }, operation);
  return undefined;
}

function atRoot(value: Json | undefined, operation: JsonPatch): Json | undefined {
  if (operation.op === "remove" || value === undefined) return undefined;
  const given = copyJson(operation.value);
  if (operation.op !== "test") return given;
  return sameJson(value, given) ? value : undefined;
}

function inObject(
  value: JsonObject,
  at: { segment: string; rest: readonly string[] },
  operation: JsonPatch,
): JsonObject | undefined {
  const { segment, rest } = at;
  const members = new Map(Object.entries(value));
  const member = memberOf(value, segment);
  // The API server's library lets a replace make the member that it should find.
  if (rest.length === 0 && (operation.op === "add" || operation.op === "replace"))
    members.set(segment, copyJson(operation.value));
  else if (member === undefined) return undefined;
  else if (rest.length === 0 && operation.op === "remove") members.delete(segment);
  else {
    const changed = operate(member, rest, operation);
    if (changed === undefined) return undefined;
    members.set(segment, changed);
  }
  return Object.fromEntries(members);
}

function inList(
  value: readonly Json[],
  at: { segment: string; rest: readonly string[] },
  operation: JsonPatch,
): readonly Json[] | undefined {
  const { segment, rest } = at;
  const isEnd = segment === "-";
  if (!isEnd && !/^(0|[1-9]\d*)$/.test(segment)) return undefined;
  const index = isEnd ? value.length : Number(segment);
  if (rest.length === 0 && operation.op === "add")
    return index > value.length ? undefined : value.toSpliced(index, 0, copyJson(operation.value));
  if (index >= value.length) return undefined;
  if (rest.length === 0 && operation.op === "remove") return value.toSpliced(index, 1);
  const changed = operate(value[index], rest, operation);
  return changed === undefined ? undefined : value.with(index, changed);
}
