import type { Operation } from "../../lib/compiled/compiled.ts";
import type { Problem } from "../../lib/problem.ts";
import { makeProblem } from "../../lib/problem.ts";
import type { Choice } from "./candidates.ts";
import { emptyResponse, errorResponses, hasExample, responsesFor, scenarioResponse } from "./candidates.ts"; // oxfmt-ignore
import type { Manner } from "./manner.ts";
import type { Mock } from "./mock.ts";
import type { Refusal } from "./refusal.ts";
import type { RequestReading } from "./request/reading.ts";

/** What a response is chosen by. */
export interface ChoiceWish {
  readonly refusal: Refusal | undefined;
  readonly manner: Manner;
  readonly reading: RequestReading;
}

/** Answers the response that goes out, or the problem that does instead. */
export function chooseResponse(
  mock: Mock,
  operation: Operation,
  { refusal, manner, reading }: ChoiceWish,
): Choice | Problem {
  const { code, example, malformed } = manner.preference;
  const plan = mock.plan(operation);
  // Whoever names an example, or wants bodies made anew, wants no scenario.
  const free = example === undefined && manner.seed === undefined;
  const names = free ? (plan.scenarios?.find(reading) ?? []) : [];

  // The document's own error answer comes first; a problem is what it did not think of.
  if (refusal !== undefined) {
    const declared = errorResponses(operation, refusal.wanted, code?.value);
    return scenarioResponse(declared, names) ?? declared[0] ?? refusal.problem;
  }

  const [wrong] = malformed;
  if (wrong !== undefined) return makeProblem("malformed-preference", wrong);

  const allowed = code === undefined ? plan.order : responsesFor(operation, code.value).slice(0, 1);
  const choice = scenarioResponse(allowed, names) ?? allowed[0];
  if (choice === undefined) return noResponse(operation, code?.value);

  // On a response without content an example is nothing to ask for.
  const { content } = choice.response;
  if (example !== undefined && content.length > 0 && !hasExample(choice.response, example.value)) {
    return noExample(choice, example.value);
  }
  return choice;
}

function noResponse(operation: Operation, code: number | undefined): Choice | Problem {
  const declared = operation.responses.map(([key]) => key).join(", ");
  if (code !== undefined) {
    const has = declared === "" ? "it declares none" : `it has ${declared}`;
    return makeProblem("no-such-response", `${operation.id} has no response for ${code}; ${has}`);
  }
  if (declared === "") return { status: 200, key: "", response: emptyResponse };
  return makeProblem("no-final-response", `${operation.id} declares only ${declared}; declare one of 200 to 599`); // oxfmt-ignore
}

function noExample({ key, response }: Choice, example: string): Problem {
  const all = response.content.flatMap(([, { examples }]) => examples);
  const external = all.flatMap(([name, of]) => (name === example && "external" in of ? [of.external] : []))[0]; // oxfmt-ignore
  const named = all.flatMap(([name, of]) => (name !== "" && "value" in of ? [name] : []));
  const names = [...new Set(named)].join(", ");
  const has = names === "" ? "it has none with a name" : `it has ${names}`;
  const lies = external === undefined ? "" : ` but at ${external}, which is never fetched`;
  return makeProblem("no-such-example", `Response ${key} has no example ${example} in the document${lies}; ${has}`); // oxfmt-ignore
}
