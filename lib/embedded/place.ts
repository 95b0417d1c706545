import type { Json } from "./json.ts";
import { isList, isObject } from "./json.ts";
import type { Cause } from "./resource.ts";

/** Where a value is, and what was there before: what did not change is not refused anew (ratcheting, as the API server does). */
export interface Place {
  readonly path: string;
  readonly old: Json | undefined;
}

/** The name of a place in a Status: the root is `<nil>`. */
export function fieldName(place: Place): string {
  return place.path === "" ? "<nil>" : place.path;
}

/** Answers the cause that a value is refused for, in the API server's words. */
export function invalidValue(place: Place, value: Json, why: string): Cause {
  const shown =
    isList(value) || isObject(value)
      ? JSON.stringify(JSON.stringify(value))
      : JSON.stringify(value);
  return {
    reason: "FieldValueInvalid",
    field: fieldName(place),
    message: `Invalid value: ${shown}: ${place.path === "" ? "" : `${place.path} in body `}${why}`,
  };
}
