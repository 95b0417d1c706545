import { spend, TooComplex } from "../budget.ts";
import type { Budget } from "../budget.ts";
import type { Automaton, Position } from "./automaton.ts";
import type { Condition } from "./conditions.ts";
import { lettersOf } from "./letters.ts";
import type { Letters } from "./letters.ts";

/** How far a text has come with all conditions, and where each letter leads. */
export interface Place {
  readonly number: number;
  /** Whether a text that ends here fulfils all conditions. */
  readonly complete: boolean;
  readonly edges: readonly { readonly letters: Letters; readonly to: Place }[];
}

/** Places that are looked at; texts that lead beyond are left out. */
const mostPlaces = 3000;

/**
 * Answers the places that texts can come to, the empty text's first; as far as the budget reaches. Throws TooComplex where it is too small for the
 * characters alone.
 */
export function exploreTexts(conditions: readonly Condition[], budget: Budget): readonly Place[] {
  const automata = conditions.map(({ automaton }) => automaton);
  const letters = lettersOf(conditions, budget);
  const numbers = new Map<Position, number>();
  const numberOf = (position: Position): number => {
    const number = numbers.get(position) ?? numbers.size;
    numbers.set(position, number);
    return number;
  };
  const places = new Map<string, Open>();
  const open = (positions: readonly Position[]): Open | undefined => {
    const key = positions.map(numberOf).join();
    const known = places.get(key);
    if (known !== undefined || places.size >= mostPlaces) return known;
    const complete = conditions.every(
      ({ automaton, negative }, index) => endsAt(automaton, positions[index]) !== negative,
    );
    const added: Open = { number: places.size, complete, edges: [], positions };
    places.set(key, added);
    return added;
  };
  const follow = (place: Open, group: Letters): void => {
    spend(budget, 4 + automata.length * 4);
    const to = open(
      place.positions.map((position, index) =>
        stepFrom(automata[index], position, [group[0], budget]),
      ),
    );
    if (to !== undefined) place.edges.push({ letters: group, to });
  };
  open(automata.map(({ start }) => start));
  try {
    // A map may grow while it is walked.
    for (const place of places.values()) for (const group of letters) follow(place, group);
  } catch (error) {
    // What was found leads to texts that fit.
    if (!(error instanceof TooComplex)) throw error;
  }
  return [...places.values()];
}

interface Open extends Place {
  readonly edges: { readonly letters: Letters; readonly to: Place }[];
  readonly positions: readonly Position[];
}

function endsAt(automaton: Automaton, position: Position | undefined): boolean {
  return position !== undefined && automaton.ends(position);
}

function stepFrom(
  automaton: Automaton | undefined,
  position: Position,
  [letter, budget]: [number, Budget],
): Position {
  return automaton === undefined ? position : automaton.step(position, letter, budget);
}
