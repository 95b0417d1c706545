import type { Course } from "./course.ts";
import type { Answer, MockRequest } from "./exchange.ts";
import { jsonAnswer } from "./exchange.ts";
import type { Mock } from "./mock.ts";
import type { WishName } from "./preference.ts";
import { appliedFields } from "./preference.ts";
import { isSecret, mask, maskTarget } from "./secret.ts";

/** One step of an answer, named as in docs/mock.md. */
interface Step {
  readonly step: string;
  readonly decided: string;
  readonly why: string;
  readonly details?: unknown;
}

/** Answers what was decided about a request and why, with the answer that it gets. Always 200; secrets are masked. */
export function explain(mock: Mock, request: MockRequest, said: Answer, course: Course): Answer {
  const { status, headers, body } = said;
  const steps = [
    routeStep(course),
    securityStep(course),
    readingStep(mock, course),
    refusalStep(course),
    preferenceStep(course),
    responseStep(course),
    contentStep(course),
    bodyStep(course),
  ];
  const told = jsonAnswer({
    request: { method: request.method, target: maskTarget(mock.compiled, request.target) },
    steps: steps.filter((step) => step !== undefined),
    answer: { status, headers, body },
  });
  const preference = course.manner?.preference ?? { malformed: [] };
  const applied = appliedFields(preference, new Set(["explain"]));
  return { ...told, headers: [...told.headers, ...applied] };
}

const readings = {
  server: "below the path of a server",
  bare: "as the document writes it, without the path of a server",
  variable: "below a server whose variable may be anything",
};

function routeStep({ route }: Course): Step | undefined {
  if (route === undefined) return undefined;
  if (route.kind !== "operation") {
    const why = "allow" in route ? `the path has ${route.allow}` : "see the answer";
    return { step: "route", decided: route.kind, why };
  }
  const { operation, reading } = route;
  return {
    step: "route",
    decided: `${operation.method} ${operation.path}`,
    why: `the path matches ${readings[reading]}`,
    details: { operation: operation.id, pointer: operation.pointer },
  };
}

function securityStep({ route, manner, denial }: Course): Step | undefined {
  if (route?.kind !== "operation") return undefined;
  if (denial !== undefined) return { step: "security", decided: "denied", why: denial.detail };
  const why =
    manner?.validate === "Off"
      ? "validate is Off"
      : route.operation.security.length === 0
        ? "the operation asks for none"
        : "one of the requirements is met";
  return { step: "security", decided: "let in", why };
}

function readingStep({ compiled }: Mock, { reading, manner }: Course): Step | undefined {
  if (reading === undefined) return undefined;
  const { parameters, body, violations, failure } = reading;
  const wrong = violations.length + Number(failure !== undefined);
  const shown = [...parameters].map(([name, value]) => [name, isSecret(compiled, name) ? mask : value]); // oxfmt-ignore
  return {
    step: "parameters and body",
    decided: wrong === 0 ? "nothing is wrong" : `${wrong} wrong`,
    why: `validate is ${manner?.validate}`,
    details: {
      parameters: Object.fromEntries(shown) as unknown,
      body: body === undefined ? "none was read" : `read as ${body.mediaType}`,
      ...(failure === undefined ? {} : { failure }),
      ...(violations.length === 0 ? {} : { violations }),
    },
  };
}

function refusalStep({ refusal, choice }: Course): Step | undefined {
  if (refusal === undefined) return undefined;
  const decided = choice === undefined ? "a problem" : `response ${choice.key} of the document`;
  return {
    step: "the document's own error answer",
    decided,
    why: `${refusal.problem.code} asks for ${refusal.wanted.join(", ")}`,
  };
}

function preferenceStep({ manner }: Course): Step | undefined {
  if (manner === undefined) return undefined;
  const { malformed, ...wishes } = manner.preference;
  const names = Object.keys(wishes) as WishName[];
  const spelled = names.map((name) => wishes[name]?.spelled).join(", ");
  return {
    step: "preferences",
    decided: spelled === "" ? "none" : spelled,
    why: malformed.length === 0 ? "Prefer, or the query keys __code, __example, __dynamic, __seed" : malformed.join("; "), // oxfmt-ignore
  };
}

function responseStep({ choice, refusal, manner }: Course): Step | undefined {
  if (choice === undefined) return undefined;
  const { status, key, response, example } = choice;
  const code = manner?.preference.code;
  let why = "it comes first: the lowest 2xx, 2XX, default, then the others";
  if (refusal !== undefined) why = "it says what is wrong";
  else if (code !== undefined) why = "it is preferred";
  if (example !== undefined) why = `the request equals its example ${example}`;
  return {
    step: "response",
    decided: `${status}, declared as ${key === "" ? "nothing" : key}`,
    why,
    details: { pointer: response.pointer, links: response.links ?? [] },
  };
}

function contentStep({ choice, content }: Course): Step | undefined {
  if (choice === undefined) return undefined;
  return content === undefined
    ? { step: "media type", decided: "none", why: "no content, or nothing acceptable" }
    : { step: "media type", decided: content.contentType, why: `Accept, against ${content.key}` };
}

const sources = {
  example: "the document has an example",
  made: "made from the schema, and kept",
  generated: "made from the schema for this request alone",
  nothing: "there is neither example nor schema",
};

function bodyStep({ body }: Course): Step | undefined {
  if (body === undefined) return undefined;
  const { source, example, violations } = body;
  return {
    step: "body",
    decided: example === undefined || example === "" ? source : `example ${example}`,
    why: sources[source],
    ...(violations.length === 0 ? {} : { details: { violations } }),
  };
}
