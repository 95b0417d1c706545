import type { Choice } from "./candidates.ts";
import type { Content } from "./content.ts";
import type { Manner } from "./manner.ts";
import type { Refusal } from "./refusal.ts";
import type { RequestReading } from "./request/reading.ts";
import type { Body } from "./response/body.ts";
import type { Route } from "./route.ts";
import type { Denial } from "./security.ts";

/** What each step of an answer decided, as far as it came: what explain tells. Undefined decisions are "nothing wrong" and "none". */
export interface Course {
  route?: Route;
  manner?: Manner;
  denial?: Denial | undefined;
  reading?: RequestReading;
  refusal?: Refusal | undefined;
  choice?: Choice;
  content?: Content | undefined;
  body?: Body | undefined;
}
