import type { MadeBody, Schema, SchemaId, Violation } from "../compiled/compiled.ts";
import { depthsOf } from "./depth.ts";
import { nothing, TooLarge } from "./making.ts";
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
const fullDepths = [32, 8, 6, 5, 4, 3, 2, 1, 0];

const defaultNodes = 5000;
const mostBytes = 256 * 1024;
const mostWork = 300_000;

/**
 * Answers a body that fits a schema, without clock or chance. Where no candidate fits, the best one with what is wrong as `violations`;
 * undefined where there is none at all (`false`, what must contain itself, what would be far too large).
 */
export function makeBody(
  schemas: Schemas,
  id: SchemaId,
  options: BodyOptions,
): MadeBody | undefined {
  const attempts = new Map<string, number>();
  let best: MadeBody | undefined;
  for (let candidate = 0; candidate < mostCandidates; candidate++) {
    const made = makeCandidate(schemas, id, { options, attempts });
    if (made === undefined) return best;
    const violations = options.validate(made.value);
    if (violations.length === 0) return { value: made.value };
    // The schema's own example goes out as it is written.
    if (made.taken.get("") === "example")
      return { value: made.value, violations: violations.map(inResponse) };
    if (best?.violations === undefined || violations.length < best.violations.length) {
      best = { value: made.value, violations: violations.map(inResponse) };
    }
    for (const pointer of toRetry(violations, made.taken)) tryAnother(attempts, pointer);
  }
  return best;
}

interface Candidate {
  readonly value: unknown;
  readonly taken: Making["taken"];
}

interface Wanted {
  readonly options: BodyOptions;
  readonly attempts: ReadonlyMap<string, number>;
}

function makeCandidate(schemas: Schemas, id: SchemaId, wanted: Wanted): Candidate | undefined {
  for (const fullDepth of fullDepths) {
    const making = makingOf(schemas, id, { ...wanted, fullDepth });
    try {
      const value = making.make(root, [{ $ref: `#/$defs/${id}` }]);
      return value === nothing ? undefined : { value, taken: making.taken };
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
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

function makingOf(
  schemas: Schemas,
  id: SchemaId,
  { options, attempts, fullDepth }: Wanted & { readonly fullDepth: number },
): Making {
  // What is required may be larger than what is welcome.
  const room = fullDepth === 0 ? 20 : 1;
  const nodes = options.nodes ?? defaultNodes;
  const making: Making = {
    schemas,
    direction: options.direction,
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    ...(options.fake === undefined ? {} : { fake: options.fake }),
    attempts,
    fullDepth,
    limits: { nodes: nodes * room, bytes: mostBytes * room, work: mostWork },
    used: { nodes: 0, bytes: 0, work: 0 },
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
