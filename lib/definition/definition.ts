import type { JsonObject } from "./json.ts";
import type { References } from "./references.ts";
import type { Remark } from "./remark.ts";
import type { Source } from "./text.ts";

/** Which rules a document is read by. 3.0 and 3.1 differ in their schemas. */
export type Dialect = "2.0" | "3.0" | "3.1";

/** A document whose version is known, as the rules and the normalisers see it. */
export interface Definition {
  readonly source: Source;
  readonly root: JsonObject;
  readonly version: string;
  readonly dialect: Dialect;
  readonly references: References;
}

/** Takes what is noticed on the way. */
export type Report = (remark: Remark) => void;
