import { spend } from "../budget.ts";
import type { Budget } from "../budget.ts";
import type { Condition } from "./conditions.ts";
import { has, isWordCharacter, keyOf, weightOf } from "./charset.ts";
import type { Charset } from "./charset.ts";
import type { Node } from "./syntax.ts";

/** Characters that no condition tells from each other, the more readable ones first. */
export type Letters = readonly [number, ...number[]];

const readable =
  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890-_ .:/@,+#!$%&'()*;<=>?[]^`{|}~\"\\éßñØжЖλΩ漢字あ한عא😀\n\t\r";

/** Characters beyond the usual ones that are looked through for a set which has none of those. */
const farthest = 0x3_0000;

/** Answers the characters that a text for these conditions may be made of, in groups. Throws TooComplex where the budget is too small. */
export function lettersOf(conditions: readonly Condition[], budget: Budget): readonly Letters[] {
  const all = conditions.flatMap(({ node }) => setsOf(node));
  const sets = [...new Map(all.map((set) => [keyOf(set), set])).values()];
  const weight = sets.reduce((sum, set) => sum + weightOf(set), 0);
  const groups = new Map<string, [number, ...number[]]>();
  for (const character of candidates(sets, budget)) {
    spend(budget, weight);
    const key =
      sets.map((set) => (has(set, character) ? "1" : "0")).join("") +
      String(isWordCharacter(character));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [character]);
    else group.push(character);
  }
  return [...groups.values()];
}

function candidates(sets: readonly Charset[], budget: Budget): ReadonlySet<number> {
  const usual = Array.from(readable, (character) => character.codePointAt(0) ?? 0);
  const ends = sets.flatMap((set) => endsOf(set).flatMap((end) => [end - 1, end, end + 1]));
  const common = [...new Set([...usual, ...ends])].filter(isCharacter);
  const rare = sets.filter((set) => !common.some((character) => sees(set, character, budget)));
  return new Set([...common, ...rare.flatMap((set) => firstOf(set, budget))]);
}

function endsOf(set: Charset): number[] {
  return [...set.ranges.flat(), ...set.complements.flatMap(endsOf)];
}

function firstOf(set: Charset, budget: Budget): number[] {
  for (let character = 0; character < farthest; character++) {
    if (isCharacter(character) && sees(set, character, budget)) return [character];
  }
  return [];
}

function sees(set: Charset, character: number, budget: Budget): boolean {
  spend(budget, weightOf(set));
  return has(set, character);
}

/** Half of a surrogate pair is no character of its own. */
function isCharacter(code: number): boolean {
  return code >= 0 && code <= 0x10_ffff && !(code >= 0xd800 && code <= 0xdfff);
}

function setsOf(node: Node): Charset[] {
  if (node.kind === "set") return [node.set];
  if (node.kind === "sequence") return node.parts.flatMap(setsOf);
  if (node.kind === "choice") return node.options.flatMap(setsOf);
  return "node" in node ? setsOf(node.node) : [];
}

/** Answers characters of one set, the more readable ones first; a space where it has none. Throws TooComplex where the budget is too small. */
export function lettersOfSet(set: Charset, budget: Budget): readonly number[] {
  const letters = [...candidates([set], budget)].filter((character) =>
    sees(set, character, budget),
  );
  return letters.length === 0 ? [0x20] : letters;
}
