/** Steps that one validation may take. */
export interface Budget {
  left: number;
}

/** A value needs more work, or is deeper, than a validation may spend on it; the message says what is bounded. */
export class TooComplex extends Error {
  override readonly name = "TooComplex";
}

/** Takes steps from the budget. Throws TooComplex where it is used up. */
export function spend(budget: Budget, steps: number): void {
  budget.left -= steps;
  if (budget.left < 0) throw new TooComplex("takes too many steps to check");
}

/** Levels of lists and objects that a value may have. */
export const maxDepth = 128;

/** Answers whether a value has more than 128 levels. Never walks deeper than that. */
export function isTooDeep(value: unknown, level = 0): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (level >= maxDepth) return true;
  // Every value comes by here: plain loops, nothing allocated.
  if (Array.isArray(value)) {
    for (const item of value)
      if (typeof item === "object" && isTooDeep(item, level + 1)) return true;
    return false;
  }
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (typeof member === "object" && isTooDeep(member, level + 1)) return true;
  }
  return false;
}
