import type { Manner } from "./manner.ts";
import type { MockRequest } from "./exchange.ts";
import { maxBody } from "./exchange.ts";
import type { Mock } from "./mock.ts";
import type { RequestReading } from "./request/reading.ts";
import type { Route } from "./route.ts";
import type { Denial } from "./security.ts";
import { wait, type Waiting } from "./waiting.ts";

const nothing = new Uint8Array();
const unread: RequestReading = { parameters: new Map(), violations: [], truncated: false };
const tooLarge: RequestReading = {
  ...unread,
  failure: {
    code: "body-too-large",
    detail: `The body has more than ${maxBody / 1024 / 1024} MB; send less`,
    headers: {},
  },
};

/**
 * Answers what a request says, and what is wrong with it. Where nothing is declared nothing is read, and the validator is not loaded;
 * a client that is not let in is not listened to.
 */
export function* readRequest(
  mock: Mock,
  { headers, body }: MockRequest,
  route: Extract<Route, { kind: "operation" }>,
  { manner, denial }: { manner: Manner; denial: Denial | undefined },
): Waiting<RequestReading> {
  const { operation, pathValues } = route;
  const plan = mock.plan(operation);
  if (!plan.reads || (denial !== undefined && manner.validate === "Enforce")) return unread;
  const known = mock.readings.get(route);
  if (known !== undefined) return known;
  const bytes = operation.body === undefined ? nothing : yield* wait(body());
  if (bytes === undefined) return tooLarge;
  // Without validation only a scenario looks at what was sent.
  if (manner.validate === "Off" && plan.scenarios === undefined) return unread;
  const read = yield* wait(mock.reader());
  const reading = yield* wait(
    read(operation, { pathValues, rawQuery: manner.rawQuery, headers, body: bytes }),
  );
  const wrong = reading.violations.length > 0 || reading.failure !== undefined;
  if (plan.readsTarget && !wrong) mock.readings.set(route, reading);
  return reading;
}
