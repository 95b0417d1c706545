import type { Operation, Response } from "../../lib/compiled/compiled.ts";
import { namedExample } from "./response/example.ts";

/** A declared response, and the status that it goes out with. `example` is set where a scenario asks for one by name. */
export interface Choice {
  readonly status: number;
  /** The key below `responses`, as written. */
  readonly key: string;
  readonly response: Response;
  readonly example?: string;
}

/** What an operation without any response answers. */
export const emptyResponse: Response = { pointer: "", description: "", headers: [], content: [] };

/**
 * Answers the responses that a status may take, best first: its exact key, its range (`5XX`), `default`.
 * Empty: the operation has no such response.
 */
export function responsesFor({ responses }: Operation, status: number): Choice[] {
  const range = `${Math.floor(status / 100)}XX`;
  return [String(status), range, "DEFAULT"].flatMap((wanted) =>
    responses
      .filter(([key]) => key.toUpperCase() === wanted)
      .map(([key, response]) => ({ status, key, response })),
  );
}

/**
 * Answers all responses that can go out, in the order in which one is chosen where nothing else decides: the lowest 2xx,
 * `2XX` as 200, `default` as 200, then the others as written. Keys that are no status of 200 to 599 are left out.
 */
export function responsesInOrder({ responses }: Operation): Choice[] {
  const all = responses.flatMap(([key, response]): Choice[] => {
    const status = statusOf(key);
    return status === undefined ? [] : [{ status, key, response }];
  });
  // Sorting is stable: what weighs the same stays in the document's order.
  return all.toSorted((a, b) => weight(a) - weight(b));
}

function statusOf(key: string): number | undefined {
  if (/^[2-5]\d\d$/.test(key)) return Number(key);
  if (/^[2-5]XX$/i.test(key)) return Number(key.charAt(0)) * 100;
  return key.toLowerCase() === "default" ? 200 : undefined;
}

function weight({ key, status }: Choice): number {
  if (/^2\d\d$/.test(key)) return status;
  if (/^2XX$/i.test(key)) return 300;
  return key.toLowerCase() === "default" ? 301 : 302;
}

/**
 * Answers the responses that a refusal may take, best first: the exact keys of the statuses wanted (the preferred before the others),
 * then ranges, then `default` under the first wanted. Empty: the document declares none.
 */
export function errorResponses(
  operation: Operation,
  wanted: readonly number[],
  preferred: number | undefined,
): Choice[] {
  const found = wanted.flatMap((status) => responsesFor(operation, status));
  const exact = found.filter(({ key }) => /^\d{3}$/.test(key));
  const ranges = found.filter(({ key }) => /^\dXX$/i.test(key));
  const fallback = found.filter(({ key }) => key.toLowerCase() === "default").slice(0, 1);
  return [
    ...exact.filter(({ status }) => status === preferred),
    ...exact.filter(({ status }) => status !== preferred),
    ...ranges,
    ...fallback,
  ];
}

/** Answers the first of the responses that has the first of the names, as the answer of that scenario. */
export function scenarioResponse(
  responses: readonly Choice[],
  names: readonly string[],
): Choice | undefined {
  for (const name of names) {
    const found = responses.find(({ response }) => hasExample(response, name));
    if (found !== undefined) return { ...found, example: name };
  }
  return undefined;
}

/** Answers whether a response has an example of that name in any of its media types. */
export function hasExample({ content }: Response, name: string): boolean {
  return content.some(([, media]) => namedExample(media, name) !== undefined);
}
