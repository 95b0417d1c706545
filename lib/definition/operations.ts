import type { Operation } from "../compiled/compiled.ts";
import { bodyOf } from "./body.ts";
import { entriesOf, locate } from "./context.ts";
import type { Context, Located } from "./context.ts";
import { isObject, listMember, member, textMember } from "./json.ts";
import type { JsonObject } from "./json.ts";
import { parametersInForce, parametersOf } from "./parameters.ts";
import { childPointer } from "./pointer.ts";
import { responsesOf } from "./responses.ts";
import { securityOf } from "./security.ts";
import { serversOf } from "./servers.ts";

/** Methods that a path item may have, as OpenAPI names them. */
export const methods: ReadonlySet<string> = new Set([
  "get",
  "put",
  "post",
  "delete",
  "options",
  "head",
  "patch",
  "trace",
]);

/** An operation as the document has it: where it stands and which path item it belongs to. */
export interface RawOperation {
  readonly path: string;
  readonly method: string;
  readonly item: Located;
  readonly operation: Located;
}

/** Answers every operation of `paths` in document order, references of path items followed; what stands beside such a reference wins. */
export function rawOperations(context: Pick<Context, "definition">): RawOperation[] {
  const { definition } = context;
  return entriesOf(context, member(definition.root, "paths"), "/paths")
    .filter(({ name, value }) => name.startsWith("/") && isObject(value))
    .flatMap(({ name: path, value, pointer }) => {
      const beside = { value: value as JsonObject, pointer };
      const target = locate(context, value, pointer);
      const own = operationsIn(context, beside).map((entry) => ({ path, item: beside, ...entry }));
      if (target.pointer === pointer) return own;
      const named = new Set(own.map(({ method }) => method));
      const others = operationsIn(context, target).map((entry) => ({
        path,
        item: target,
        ...entry,
      }));
      return [...own, ...others.filter(({ method }) => !named.has(method))];
    });
}

function operationsIn(context: Pick<Context, "definition">, item: Located) {
  return entriesOf(context, item.value, item.pointer)
    .filter(({ name, value }) => methods.has(name) && isObject(value))
    .map(({ name: method, value, pointer }) => ({
      method,
      operation: { value: value as JsonObject, pointer },
    }));
}

/** Answers the operations as the mock serves them. An `operationId` that stands twice names only the first. */
export function operationsOf(context: Context): Operation[] {
  const ids = new Set<string>();
  return rawOperations(context).map((raw) => {
    const operation = operationOf(context, raw);
    const id = ids.has(operation.id) ? `${operation.method} ${operation.path}` : operation.id;
    ids.add(id);
    return { ...operation, id };
  });
}

function operationOf(context: Context, { path, method, item, operation }: RawOperation): Operation {
  const { value, pointer } = operation;
  const { root } = context.definition;
  const inForce = parametersInForce(context, item, operation);
  const summary = textMember(value, "summary");
  const deprecated = deprecationOf(value);
  const body = bodyOf(context, operation, method, {
    parameters: inForce,
    types: typesOf(value, root, "consumes"),
  });
  const callbacks = Object.keys(
    isObject(member(value, "callbacks")) ? (member(value, "callbacks") as JsonObject) : {},
  );
  return {
    id: textMember(value, "operationId") ?? `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    pointer,
    ...(summary === undefined ? {} : { summary }),
    ...(deprecated === undefined ? {} : { deprecated }),
    servers: serversOf(context, [operation, item, { value: root, pointer: "" }]),
    security: securityOf(context, value),
    parameters: parametersOf(context, inForce),
    ...(body === undefined ? {} : { body }),
    responses: responsesOf(
      context,
      member(value, "responses"),
      childPointer(pointer, "responses"),
      typesOf(value, root, "produces"),
    ),
    ...(callbacks.length === 0 ? {} : { callbacks }),
  };
}

function typesOf(operation: JsonObject, root: JsonObject, key: "consumes" | "produces"): string[] {
  const owner = Object.hasOwn(operation, key) ? operation : root;
  return listMember(owner, key).filter((type) => typeof type === "string");
}

/** The date is an extension's, as OpenAPI has no field for it: a date, a date with time, or Unix seconds. */
function deprecationOf(operation: JsonObject): true | number | undefined {
  if (member(operation, "deprecated") !== true) return undefined;
  const written =
    member(operation, "x-deprecated-at") ??
    member(operation, "x-deprecation-date") ??
    member(operation, "x-deprecation");
  if (typeof written === "number" && Number.isInteger(written)) return written;
  const time =
    typeof written === "string" && /^\d{4}-\d\d-\d\d/.test(written) ? Date.parse(written) : NaN;
  return Number.isNaN(time) ? true : Math.floor(time / 1000);
}
