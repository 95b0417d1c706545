import type { Example, Media } from "../../../lib/compiled/compiled.ts";

/** A value of the document, and under which name; "" for a lone `example`. */
export interface PickedExample {
  readonly name: string;
  readonly value: unknown;
}

/** Answers the example of a name, else undefined. One outside the document is never fetched: it is as if it were not there. */
export function namedExample({ examples }: Media, name: string): PickedExample | undefined {
  const found = examples.find(([key, example]) => key === name && "value" in example);
  return found === undefined ? undefined : picked(found);
}

/** Answers the first example that has a value, else undefined. */
export function firstExample({ examples }: Media): PickedExample | undefined {
  const found = examples.find(([, example]) => "value" in example);
  return found === undefined ? undefined : picked(found);
}

function picked([name, example]: readonly [string, Example]): PickedExample | undefined {
  return "value" in example ? { name, value: example.value } : undefined;
}
