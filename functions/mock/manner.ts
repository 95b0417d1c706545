import type { RequestHeaders } from "./exchange.ts";
import type { Mock } from "./mock.ts";
import type { Preference } from "./preference.ts";
import { readPreference } from "./preference.ts";
import type { MockSettings } from "./settings.ts";

/** How one request is answered: what the mock is set to, changed by what the client prefers. */
export interface Manner {
  readonly preference: Preference;
  readonly validate: MockSettings["validate"];
  /** Present where bodies are generated anew: what varies them. */
  readonly seed: string | undefined;
  /** The query without our own keys, still percent-encoded. */
  readonly rawQuery: string;
}

/** Answers how a request wants to be answered. Only `Enforce` can be softened, and only to `Warn`. */
export function readManner(
  { settings, random }: Mock,
  headers: RequestHeaders,
  query: string,
): Manner {
  const { preference, rawQuery } = readPreference(headers.get("prefer"), query);
  const lenient = preference.lenient !== undefined && settings.validate === "Enforce";
  const dynamic = preference.dynamic?.value ?? settings.dynamic;
  const chosen = preference.seed?.value ?? settings.seed;
  return {
    preference,
    rawQuery,
    validate: lenient ? "Warn" : settings.validate,
    // Without a seed each request differs.
    seed: dynamic ? chosen || String(random()) : undefined,
  };
}
