import { assemble } from "./assemble.ts";
import { chooseResponse } from "./choice.ts";
import { chooseContent } from "./content.ts";
import type { Course } from "./course.ts";
import type { Answer, MockRequest } from "./exchange.ts";
import { exitAnswer, isProblem, problemAnswer } from "./exit.ts";
import { readRequest } from "./intake.ts";
import { readManner } from "./manner.ts";
import type { Mock } from "./mock.ts";
import { findRefusal } from "./refusal.ts";
import { makeBody } from "./response/body.ts";
import { checkSecurity } from "./security.ts";
import { wait, type Waiting } from "./waiting.ts";

/**
 * Answers one request by the steps of docs/mock.md, in their order, and leaves in `course` what each decided.
 * Steps 0 and 1, CORS and the reserved paths, are the app's: they are about every answer, and about no operation.
 */
export function* answer(mock: Mock, request: MockRequest, course: Course): Waiting<Answer> {
  // 2. Route.
  const route = mock.route(request.method, request.target);
  course.route = route;

  // 7. Preferences weigh later, but our keys are no part of the query that is checked, and say whether it is.
  const query = "target" in route ? route.target.query : "";
  const manner = readManner(mock, request.headers, query);
  course.manner = manner;

  // What leads to no operation needs no further look.
  if (route.kind !== "operation") return exitAnswer(request.method, route);
  const refuse: typeof problemAnswer = (problem, headers) =>
    problemAnswer({ ...problem, instance: route.target.path }, headers);

  // 3. Security: presence and form of credentials.
  const denial = checkSecurity(mock.compiled, route.operation, request.headers, manner);
  course.denial = denial;

  // 4, 5. Parameters and body, unless the client is not let in.
  const reading = yield* readRequest(mock, request, route, { manner, denial });
  course.reading = reading;

  // 6. What is wrong, if it counts.
  const refusal = findRefusal(denial, reading, manner.validate);
  course.refusal = refusal;

  // 6, 8. The response: the document's own error answer, else what is preferred, a scenario, or the usual one.
  const choice = chooseResponse(mock, route.operation, { refusal, manner, reading });
  if (isProblem(choice)) return refuse(choice, refusal?.headers);
  course.choice = choice;

  // 9. Its media type. An error goes out in any case: it would be worse to hide it.
  const content = chooseContent(mock, choice, {
    accept: request.headers.get("accept"),
    example: choice.example ?? manner.preference.example?.value,
  });
  if (isProblem(content)) return refuse(content, refusal?.headers);
  course.content = content;

  // 10, 11. Its body as text. A generated one that breaks its own schema goes out and says so; only where there is none, a problem does.
  const body = yield* wait(makeBody(mock, content, manner.seed));
  if (isProblem(body)) return refuse(body);
  course.body = body;

  const declared = yield* wait(mock.headers(route.operation, choice.response));
  return assemble(choice, declared, course);
}
