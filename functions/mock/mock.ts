import type { Compiled, Operation, Response } from "../../lib/compiled/compiled.ts";
import type { Log } from "../../lib/log.ts";
import type { Problem } from "../../lib/problem.ts";
import type { Validators } from "../../lib/schema/validator.ts";
import type { ByteCache } from "./byte-cache.ts";
import { createByteCache } from "./byte-cache.ts";
import type { Choice } from "./candidates.ts";
import { responsesInOrder } from "./candidates.ts";
import type { Content } from "./content.ts";
import type { Fields } from "./exchange.ts";
import type { RequestReader, RequestReading } from "./request/reading.ts";
import type { Body } from "./response/body.ts";
import { lacksValue, responseHeaders } from "./response/headers.ts";
import type { Maker } from "./response/made.ts";
import type { Route, Router } from "./route.ts";
import { createRouter, makeRoutes } from "./route.ts";
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
  readonly route: Router;
  /** Answers what is known of an operation; made once. */
  plan(operation: Operation): Plan;
  /** Answers the header fields that a response of an operation declares, `Deprecation` among them; made once. */
  headers(operation: Operation, response: Response): Fields | Promise<Fields>;
  /** Answers the reader of requests; it is loaded, with the validator, when the first request needs it. */
  reader(): RequestReader | Promise<RequestReader>;
  /** Answers what makes values from schemas; loaded when the first answer needs it. */
  maker(): Maker | Promise<Maker>;
  /** What a route says by its target alone, where nothing is wrong with it. */
  readonly readings: WeakMap<Route, RequestReading>;
  /** Serialised bodies that do not vary. */
  readonly bodies: ByteCache<Body>;
  /** Media types by what was accepted. */
  readonly contents: ByteCache<Content | Problem>;
}

/** What is known of an operation. */
export interface Plan {
  readonly order: readonly Choice[];
  readonly scenarios: Scenarios | undefined;
  /** False: no parameter and no body, so that there is nothing to read. */
  readonly reads: boolean;
  /** True: the target holds all that is read. */
  readonly readsTarget: boolean;
  /** Header fields of its responses, as far as they were needed. */
  readonly fields: Map<Response, Fields>;
}

/** How many bytes of serialised bodies a mock keeps. */
const mostBodies = 32 * 1024 * 1024;

/** How many bytes of negotiations a mock keeps. */
const mostContents = 1024 * 1024;

/** Answers the mock of a compiled definition. */
export function createMock(deps: MockDeps): Mock {
  const { compiled } = deps;
  const plans = new Map<Operation, Plan>();
  const validators = once(() => loadValidators(compiled));
  const maker = once(() => loadMaker(compiled, validators));
  const plan = (operation: Operation): Plan => {
    const known = plans.get(operation);
    if (known !== undefined) return known;
    const made = makePlan(operation);
    plans.set(operation, made);
    return made;
  };
  return {
    ...deps,
    route: createRouter(makeRoutes(compiled)),
    plan,
    headers(operation, response) {
      const { fields } = plan(operation);
      return fields.get(response) ?? loadFields(operation, response, { compiled, fields, maker });
    },
    reader: once(() => loadReader(compiled, validators)),
    maker,
    readings: new WeakMap(),
    bodies: createByteCache(mostBodies),
    contents: createByteCache(mostContents),
  };
}

function makePlan(operation: Operation): Plan {
  return {
    order: responsesInOrder(operation),
    scenarios: makeScenarios(operation),
    reads: operation.parameters.length > 0 || operation.body !== undefined,
    readsTarget:
      operation.body === undefined &&
      operation.parameters.every((parameter) => parameter.in !== "header" && parameter.in !== "cookie"), // oxfmt-ignore
    fields: new Map(),
  };
}

/** Answers the value itself once it is there: nothing is waited for twice. */
function once<Value>(load: () => Promise<Value>): () => Value | Promise<Value> {
  let kept: Value | Promise<Value> | undefined;
  return () => (kept ??= load().then((value) => (kept = value)));
}

async function loadValidators({ schemas }: Compiled): Promise<Validators> {
  const { createValidators } = await import("../../lib/schema/validator.ts");
  return createValidators(schemas);
}

async function loadReader(
  compiled: Compiled,
  validators: () => Validators | Promise<Validators>,
): Promise<RequestReader> {
  const { createRequestReader } = await import("./request/request.ts");
  return createRequestReader(compiled, await validators());
}

async function loadMaker(
  compiled: Compiled,
  validators: () => Validators | Promise<Validators>,
): Promise<Maker> {
  const { createMaker } = await import("./response/made.ts");
  return createMaker(compiled, await validators());
}

async function loadFields(
  { deprecated }: Operation,
  response: Response,
  { compiled, fields, maker }: Pick<Plan, "fields"> & Pick<Mock, "compiled" | "maker">,
): Promise<Fields> {
  const missing = response.headers.some(([, header]) => lacksValue(header));
  const declared = responseHeaders(response.headers, {
    maker: missing ? await maker() : undefined,
    numbers: compiled.numbers,
  });
  const said = declared.some(([name]) => name.toLowerCase() === "deprecation");
  // RFC 9745: a date in Unix seconds; the first of all where only the fact is known.
  const since = deprecated === true ? 0 : Math.trunc(deprecated ?? 0);
  const made: Fields =
    deprecated === undefined || said ? declared : [...declared, ["Deprecation", `@${since}`]];
  fields.set(response, made);
  return made;
}
