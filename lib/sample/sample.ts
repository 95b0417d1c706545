import type { Compiled, Operation, Pairs, Parameter } from "../compiled/compiled.ts";
import { exactJson } from "../exact-json.ts";
import { makeBody } from "../schema/generate.ts";
import { createValidators } from "../schema/validator.ts";
import { credentialsOf } from "./credentials.ts";
import type { SampleBody } from "./body.ts";
import { sampleBody } from "./body.ts";
import type { Make, ToJson } from "./value.ts";
import { firstValue } from "./value.ts";
import { isRecord, styledText } from "./style-text.ts";

/** A request that an operation takes, as a user could have written it. */
export interface Sample {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
  readonly headers: Pairs<string>;
  readonly body?: SampleBody;
}

/** Answers what makes samples of a definition's operations: all that is required, from the document's examples or made from schemas. */
export function createSampler(compiled: Compiled): (operation: Operation) => Sample {
  const validators = createValidators(compiled.schemas);
  const make: Make = (id) => {
    if (id === undefined) return "value";
    const made = makeBody(compiled.schemas, id, {
      direction: "request",
      validate: validators.request(id),
      spent: validators.spent,
    });
    return made?.value ?? null;
  };
  const json: ToJson = (value) => exactJson(value, compiled.numbers);
  const valueOf = (parameter: Parameter): unknown => {
    const example = firstValue(parameter.examples);
    if (example !== undefined) return example.value;
    return make(parameter.schema ?? parameter.content?.[1].schema);
  };

  return (operation) => {
    const wanted = operation.parameters.filter(
      (parameter) => parameter.required || parameter.in === "path",
    );
    const at = (place: Parameter["in"]): Parameter[] =>
      wanted.filter((parameter) => parameter.in === place);
    const texts = (place: Parameter["in"]): string[] =>
      at(place).map((parameter) => styledText(parameter, valueOf(parameter), json));
    const credentials = credentialsOf(operation, compiled.securitySchemes);
    const query = [...texts("query"), ...texts("querystring"), ...credentials.query];
    const cookies = [
      ...texts("cookie").map((pairs) => pairs.replaceAll("&", "; ")),
      ...credentials.cookies,
    ];
    const body = sampleBody(operation.body, { make, json });
    const path = pathOf(operation, (parameter) => styledText(parameter, valueOf(parameter), json));
    return {
      method: operation.method,
      target: `${path}${query.length === 0 ? "" : `?${query.join("&")}`}`,
      headers: [
        ...at("header").map(
          (parameter) => [parameter.name, headerText(valueOf(parameter), parameter, json)] as const,
        ),
        ...credentials.headers,
        ...(cookies.length === 0 ? [] : [["Cookie", cookies.join("; ")] as const]),
      ],
      ...(body === undefined ? {} : { body }),
    };
  };
}

/** Below the path of the first server, as its documentation would say it. */
function pathOf(operation: Operation, textOf: (parameter: Parameter) => string): string {
  const [server] = operation.servers;
  const prefix = (server?.path ?? "").replaceAll(
    /\{([^}]*)\}/g,
    (_, name: string) => server?.variables[name]?.default ?? name,
  );
  return `${prefix}${operation.path}`.replaceAll(unsafe, (found, name: string | undefined) => {
    if (name === undefined) return encodeURIComponent(found.toWellFormed());
    const parameter = operation.parameters.find((one) => one.in === "path" && one.name === name);
    return parameter === undefined ? "value" : textOf(parameter) || found;
  });
}

/** A template, or a character that a path does not hold as it is (RFC 3986 section 3.3); what is percent-encoded already stays. */
const unsafe = /\{([^}]*)\}|[^\w\-.~!$&'()*+,;=:@/%]/gu;

/** Headers are written in style simple, and nothing in them is percent-encoded. */
function headerText(value: unknown, { explode, content }: Parameter, json: ToJson): string {
  const plain = (item: unknown): string => (typeof item === "string" ? item : json(item));
  if (content !== undefined) return json(value);
  if (Array.isArray(value)) return value.map(plain).join(",");
  if (!isRecord(value)) return plain(value);
  const pairs = Object.entries(value);
  return pairs.map(([key, member]) => `${key}${explode ? "=" : ","}${plain(member)}`).join(",");
}
