import type { Compiled, Operation, Response } from "../../lib/compiled/compiled.ts";
import type { Log } from "../../lib/log.ts";
import type { ByteCache } from "./byte-cache.ts";
import { createByteCache } from "./byte-cache.ts";
import type { Choice } from "./candidates.ts";
import { responsesInOrder } from "./candidates.ts";
import type { Fields } from "./exchange.ts";
import type { RequestReader } from "./request/reading.ts";
import type { Body } from "./response/body.ts";
import { responseHeaders } from "./response/headers.ts";
import type { Routes } from "./route.ts";
import { makeRoutes } from "./route.ts";
import type { Scenarios } from "./scenario.ts";
import { makeScenarios } from "./scenario.ts";
import type { MockSettings } from "./settings.ts";

/** What a mock is made of. */
export interface MockDeps {
  readonly compiled: Compiled;
  readonly settings: MockSettings;
  readonly log: Log;
  /** Answers a number of at least 0 and below 1. */
  readonly random: () => number;
}

/** A mock, ready to answer: what is known before a request comes, and what is kept after the first that needed it. */
export interface Mock extends MockDeps {
  readonly routes: Routes;
  /** Answers what is known of an operation; made once. */
  plan(operation: Operation): Plan;
  /** Answers the header fields that a response declares; made once. */
  headers(response: Response): Fields;
  /** Answers the reader of requests; it is loaded, with the validator, when the first request needs it. */
  reader(): Promise<RequestReader>;
  /** Serialised bodies that do not vary. */
  readonly bodies: ByteCache<Body>;
}

/** What is known of an operation. */
export interface Plan {
  readonly order: readonly Choice[];
  readonly scenarios: Scenarios | undefined;
  /** False: no parameter and no body, so that there is nothing to read. */
  readonly reads: boolean;
  /** `Deprecation` (RFC 9745), where the operation is. */
  readonly deprecation: Fields;
}

/** How many bytes of serialised bodies a mock keeps. */
const mostBodies = 32 * 1024 * 1024;

/** Answers the mock of a compiled definition. */
export function createMock(deps: MockDeps): Mock {
  const plans = new Map<Operation, Plan>();
  const headers = new Map<Response, Fields>();
  let reader: Promise<RequestReader> | undefined;
  return {
    ...deps,
    routes: makeRoutes(deps.compiled),
    plan(operation) {
      const known = plans.get(operation);
      if (known !== undefined) return known;
      const plan = makePlan(operation);
      plans.set(operation, plan);
      return plan;
    },
    headers(response) {
      const known = headers.get(response);
      if (known !== undefined) return known;
      const fields = responseHeaders(response.headers);
      headers.set(response, fields);
      return fields;
    },
    reader: () => (reader ??= loadReader(deps.compiled)),
    bodies: createByteCache(mostBodies),
  };
}

function makePlan(operation: Operation): Plan {
  const { deprecated } = operation;
  return {
    order: responsesInOrder(operation),
    scenarios: makeScenarios(operation),
    reads: operation.parameters.length > 0 || operation.body !== undefined,
    deprecation:
      deprecated === undefined
        ? []
        : [["Deprecation", `@${deprecated === true ? 0 : Math.trunc(deprecated)}`]],
  };
}

async function loadReader(compiled: Compiled): Promise<RequestReader> {
  const [{ createRequestReader }, { createValidators }] = await Promise.all([
    import("./request/request.ts"),
    import("../../lib/schema/validator.ts"),
  ]);
  return createRequestReader(compiled, createValidators(compiled.schemas));
}
