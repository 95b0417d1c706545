import type { MadeBody, Schema, SchemaId, Violation } from "../compiled/compiled.ts";
import { depthsOf } from "./depth.ts";
import { nothing, TooLarge, TooMuchWork } from "./making.ts";
import type { Fake, Making, Place } from "./making.ts";
import type { Schemas } from "./reference.ts";
import { makeValue } from "./value.ts";
import type { SchemaViolation } from "./violation.ts";

export type { Fake, Wish } from "./making.ts";

/** How a body is made. */
export interface BodyOptions {
  /** In a response what is `writeOnly` is left out, in a request what is `readOnly`. */
  readonly direction: "request" | "response";
  /** The validator of the same schema and direction: every candidate is checked by it. */
  readonly validate: (value: unknown) => readonly SchemaViolation[];
  /** Answers the steps that validations took so far: where the candidates take too many, the best one is taken. */
  readonly spent?: () => number;
  /** Varies the body: the same seed, the same body. Without one the body is the readable one of the schema's own examples. */
  readonly seed?: string;
  /** Lifelike values, asked only with a seed. */
  readonly fake?: Fake;
  /** Values in the body beyond which only what is required is made. */
  readonly nodes?: number;
}

/** Candidates that are made and checked at most. */
const mostCandidates = 24;

/** Levels to which what is optional is made; a shallower one where the body gets too large. */
const fullDepths = [32, 8, 5, 3, 2, 1, 0];

const defaultNodes = 5000;
const mostBytes = 256 * 1024;

/** Steps for all candidates of a body together. */
const mostSteps = 120_000;

/** Steps that patterns may take for all candidates together, a few tenths of a second. */
const mostPatternSteps = 6_000_000;

/** Steps of validation after which no further candidate is made. */
const mostValidationSteps = 2_000_000;

/** Violations that come with a body. */
const mostViolations = 100;

/**
 * Answers a body that fits a schema, without clock or chance. Where no candidate fits, the best one with what is wrong as `violations`;
 * undefined where there is none at all (`false`, what must contain itself, what would be far too large).
 */
export function makeBody(
  schemas: Schemas,
  id: SchemaId,
  options: BodyOptions,
): MadeBody | undefined {
  const wanted: Wanted = {
    options,
    attempts: new Map(),
    steps: { left: mostSteps },
    patterns: { left: mostPatternSteps },
    depths: [...fullDepths],
  };
  const { spent = () => 0 } = options;
  const enough = spent() + mostValidationSteps;
  let best: MadeBody | undefined;
  for (let candidate = 0; candidate < mostCandidates; candidate++) {
    const made = makeCandidate(schemas, id, wanted);
    if (made === undefined) return best;
    const violations = options.validate(made.value);
    if (violations.length === 0) return { value: made.value };
    if (best?.violations === undefined || violations.length < best.violations.length) {
      best = { value: made.value, violations: violations.slice(0, mostViolations).map(inResponse) };
    }
    const isSpent =
      wanted.steps.left < mostSteps / 2 || wanted.patterns.left <= 0 || spent() > enough;
    if (isSpent || isFinal(made, violations)) return best;
    for (const pointer of toRetry(violations, made.taken)) tryAnother(wanted.attempts, pointer);
  }
  return best;
}

interface Candidate {
  readonly value: unknown;
  readonly taken: Making["taken"];
}

interface Wanted {
  readonly options: BodyOptions;
  readonly attempts: Map<string, number>;
  readonly steps: { left: number };
  readonly patterns: { left: number };
  /** Depths that were not found too large. */
  readonly depths: number[];
}

/** Whether another candidate is of no use: the schema's own example goes out as written, and what cannot be judged is never better. */
function isFinal({ taken }: Candidate, violations: readonly SchemaViolation[]): boolean {
  const isJudged = violations.every(
    ({ keyword }) => keyword !== "schema" && keyword !== "too-complex",
  );
  return !isJudged || taken.get("") === "example";
}

function makeCandidate(schemas: Schemas, id: SchemaId, wanted: Wanted): Candidate | undefined {
  for (let fullDepth = wanted.depths[0]; fullDepth !== undefined; fullDepth = wanted.depths[0]) {
    const optional = { made: false };
    try {
      const making = makingOf(schemas, id, { ...wanted, fullDepth, optional });
      const value = making.make(root, [{ $ref: `#/$defs/${id}` }]);
      return value === nothing ? undefined : { value, taken: making.taken };
    } catch (error) {
      // A schema that is nested without end exhausts the stack.
      if (error instanceof TooMuchWork || error instanceof RangeError) return undefined;
      if (!(error instanceof TooLarge)) throw error;
      // Where all of it must be there, only the room of the lowest depth may help.
      wanted.depths.splice(0, optional.made ? 1 : Math.max(1, wanted.depths.length - 1));
    }
  }
  return undefined;
}

const root: Place = {
  pointer: "",
  name: "",
  depth: 0,
  vary: 0,
  inside: new Set(),
  optional: false,
  least: false,
};

/** One try at a candidate, to a depth. */
interface Try extends Wanted, Pick<Making, "fullDepth" | "optional"> {}

function makingOf(
  schemas: Schemas,
  id: SchemaId,
  { options, attempts, steps, patterns, fullDepth, optional }: Try,
): Making {
  // What is required may be larger than what is welcome.
  const room = fullDepth === 0 ? 4 : 1;
  const nodes = options.nodes ?? defaultNodes;
  const making: Making = {
    schemas,
    direction: options.direction,
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    ...(options.fake === undefined ? {} : { fake: options.fake }),
    attempts,
    fullDepth,
    limits: { nodes: nodes * room, bytes: mostBytes * room },
    used: { nodes: 0, bytes: 0 },
    optional,
    steps,
    patterns,
    taken: new Map(),
    depthOf: depthsOf(schemas, id),
    make: (place: Place, parts: readonly Schema[]) => makeValue(making, place, parts),
  };
  return making;
}

/** The places that a better candidate must change: where something is wrong, or where what holds it was taken as a whole. */
function toRetry(
  violations: readonly SchemaViolation[],
  taken: Making["taken"],
): ReadonlySet<string> {
  return new Set(
    violations.map(({ pointer }) => pathsOf(pointer).find((path) => taken.has(path)) ?? pointer),
  );
}

/** A place that was tried three times in vain has its surroundings changed too. */
function tryAnother(attempts: Map<string, number>, pointer: string): void {
  const count = (attempts.get(pointer) ?? 0) + 1;
  attempts.set(pointer, count);
  if (count % 3 === 0 && pointer !== "")
    tryAnother(attempts, pointer.slice(0, pointer.lastIndexOf("/")));
}

/** The pointer of the whole, of what is in it, and so on down to the place itself. */
function pathsOf(pointer: string): string[] {
  const steps = pointer.split("/");
  return steps.map((_, index) => steps.slice(0, index + 1).join("/"));
}

function inResponse({ pointer, message, keyword }: SchemaViolation): Violation {
  return { in: "response", name: "", pointer, message, keyword };
}
