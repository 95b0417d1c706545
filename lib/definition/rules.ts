import type { Definition } from "./definition.ts";
import type { Remark } from "./remark.ts";
import { referencesResolve } from "./rules/references.ts";

/** A check of a definition: answers what breaks it, nothing where all is well. */
export type Rule = (definition: Definition) => Iterable<Remark>;

const rules: readonly Rule[] = [referencesResolve];

/** Answers what every rule finds. */
export function brokenRules(definition: Definition): Remark[] {
  return rules.flatMap((rule) => [...rule(definition)]);
}
