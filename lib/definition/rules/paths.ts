import type { Definition } from "../definition.ts";
import { member, objectMember, textMember } from "../json.ts";
import { rawOperations } from "../operations.ts";
import type { RawOperation } from "../operations.ts";
import { parametersInForce } from "../parameters.ts";
import { childPointer } from "../pointer.ts";
import type { Remark } from "../remark.ts";

const variable = /\{([^{}/]+)\}/g;

/** A path begins with a slash and closes its braces. With a query or fragment no request can match it. */
export function pathsAreTemplates({ root }: Definition): Remark[] {
  return Object.keys(objectMember(root, "paths") ?? {})
    .filter((path) => !path.startsWith("x-"))
    .flatMap((path): Remark[] => {
      const pointer = childPointer("/paths", path);
      const shown = path.slice(0, 200);
      if (!path.startsWith("/"))
        return [{ code: "invalid-path", pointer, message: `${shown} must begin with a slash` }];
      if (/[{}]/.test(path.replace(variable, ""))) {
        const message = `${shown} has a brace without its partner, or without a name`;
        return [{ code: "invalid-path", pointer, message }];
      }
      if (!/[?#]/.test(path)) return [];
      const message = `${shown} holds a query or fragment, so that no request matches it; declare a query by parameters`;
      return [{ code: "unreachable-path", pointer, message }];
    });
}

/** Templates that differ only in the names of their variables match the same requests; that is harmless only if they share no method. */
export function pathsDiffer(definition: Definition): Remark[] {
  const first = new Map<string, RawOperation>();
  return rawOperations({ definition }).flatMap((raw) => {
    const shape = `${raw.method} ${raw.path.replaceAll(variable, "{}")}`;
    const other = first.get(shape);
    if (other === undefined) first.set(shape, raw);
    if (other === undefined || other.path === raw.path) return [];
    const message = `${raw.method.toUpperCase()} ${raw.path} and ${other.path} match the same requests; keep one of them`;
    return [{ code: "duplicate-path", pointer: childPointer("/paths", raw.path), message }];
  });
}

/** Each variable of a path is a parameter of the operation, required, and each path parameter is a variable. */
export function pathParametersAgree(definition: Definition): Remark[] {
  return rawOperations({ definition }).flatMap(({ path, item, operation }) => {
    const variables = new Set([...path.matchAll(variable)].map(([, name = ""]) => name));
    const parameters = parametersInForce({ definition }, item, operation).filter(
      ({ value }) => value["in"] === "path",
    );
    const declared = new Set(parameters.map(({ value }) => textMember(value, "name") ?? ""));
    const undeclared = [...variables]
      .filter((name) => !declared.has(name))
      .map((name): Remark => {
        const message = `{${name}} of ${path} is no parameter; declare it with in: path`;
        return { code: "undeclared-path-parameter", pointer: operation.pointer, message };
      });
    return [
      ...undeclared,
      ...parameters.flatMap(({ value, pointer }) =>
        parameterFault(path, variables, value, pointer),
      ),
    ];
  });
}

function parameterFault(
  path: string,
  variables: ReadonlySet<string>,
  value: unknown,
  pointer: string,
): Remark[] {
  const name = textMember(value, "name") ?? "";
  if (!variables.has(name)) {
    return [{ code: "unused-path-parameter", pointer, message: `${path} has no {${name}}` }];
  }
  if (member(value, "required") === true) return [];
  return [
    {
      code: "optional-path-parameter",
      pointer,
      message: `a path parameter is always there; write required: true for ${name}`,
    },
  ];
}
