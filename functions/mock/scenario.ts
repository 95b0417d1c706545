import type { Example, Media, Operation, Pairs } from "../../lib/compiled/compiled.ts";
import { canonical } from "../../lib/schema/canonical.ts";
import { formatOf, parseMediaType } from "./media-type.ts";
import type { RequestReading } from "./request/reading.ts";

/**
 * Pairs of examples with one name, in a request and in a response: the request that equals the first gets the second.
 * Plain OpenAPI, no extension.
 */
export interface Scenarios {
  /** Answers the names whose every input equals the request's, the one with the most inputs first, then in document order. */
  find(reading: RequestReading): readonly string[];
}

/** One input of a request: `query/limit`, or `body`; its examples by name. */
interface Input {
  readonly name: string;
  readonly examples: ReadonlyMap<string, unknown>;
}

interface Candidate {
  readonly name: string;
  readonly order: number;
  readonly weight: number;
}

/** The candidates that look at the same inputs, by the values they ask for: one look-up each. */
interface Group {
  readonly inputs: readonly string[];
  readonly byValues: Map<string, Candidate[]>;
}

/** Answers an operation's scenarios; undefined where it has none. */
export function makeScenarios(operation: Operation): Scenarios | undefined {
  const answered = new Set(
    operation.responses.flatMap(([, { content }]) =>
      content.flatMap(([, { examples }]) => [...valuesByName(examples).keys()]),
    ),
  );
  const parameters = operation.parameters.map((parameter): Input => {
    const { name, in: place, examples, content } = parameter;
    const all = [...examples, ...(content?.[1].examples ?? [])];
    return { name: `${place}/${name}`, examples: valuesByName(all) };
  });
  const bodies = operation.body?.content ?? [];
  const tables = new Map<string, readonly Group[]>([
    ["", makeGroups(parameters, answered)],
    ...bodies.map(([key, media]) => {
      const body = { name: "body", examples: bodyExamples(key, media) };
      return [key, makeGroups([...parameters, body], answered)] as const;
    }),
  ]);
  if ([...tables.values()].every((groups) => groups.length === 0)) return undefined;
  return {
    find(reading) {
      const groups = tables.get(reading.body?.mediaType ?? "") ?? tables.get("") ?? [];
      return groups
        .flatMap(({ inputs, byValues }) => byValues.get(valuesKey(inputs, reading)) ?? [])
        .toSorted((a, b) => b.weight - a.weight || a.order - b.order)
        .map(({ name }) => name);
    },
  };
}

function makeGroups(inputs: readonly Input[], answered: ReadonlySet<string>): Group[] {
  const names = new Set(inputs.flatMap(({ examples }) => [...examples.keys()]));
  const groups = new Map<string, Group>();
  for (const [order, name] of [...names].filter((name) => answered.has(name)).entries()) {
    const used = inputs.filter(({ examples }) => examples.has(name));
    const key = used.map((input) => input.name).join("\0");
    const fresh: Group = { inputs: used.map((input) => input.name), byValues: new Map() };
    const group = groups.get(key) ?? fresh;
    groups.set(key, group);
    const values = used.map(({ examples }) => canonical(examples.get(name))).join("\0");
    const same = group.byValues.get(values) ?? [];
    group.byValues.set(values, [...same, { name, order, weight: used.length }]);
  }
  return [...groups.values()];
}

function valuesKey(inputs: readonly string[], { parameters, body }: RequestReading): string {
  return inputs
    .map((name) => {
      const value = name === "body" ? body?.value : parameters.get(name);
      return value === undefined ? "absent" : canonical(value);
    })
    .join("\0");
}

/** A lone example has no name to pair by; one outside the document no value. */
function valuesByName(examples: Pairs<Example>): Map<string, unknown> {
  return new Map(
    examples.flatMap(([name, example]) =>
      name !== "" && "value" in example ? [[name, example.value] as const] : [],
    ),
  );
}

/** Many write the JSON of a body as text: it is what it says. */
function bodyExamples(key: string, { examples }: Media): Map<string, unknown> {
  const named = valuesByName(examples);
  const type = parseMediaType(key);
  if (type === undefined || formatOf(type) !== "json") return named;
  for (const [name, value] of named) {
    if (typeof value === "string" && /^\s*[[{]/.test(value)) named.set(name, parsed(value));
  }
  return named;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
