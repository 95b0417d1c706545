import type { Choice } from "./candidates.ts";
import type { Course } from "./course.ts";
import type { Answer, Fields } from "./exchange.ts";
import type { Preference, WishName } from "./preference.ts";
import { appliedFields, noPreference } from "./preference.ts";
import { violationFields, violationsOf } from "./refusal.ts";

/** Answers the whole answer from the response chosen, the fields that it declares, and what else the steps decided. */
export function assemble({ status }: Choice, declared: Fields, course: Course): Answer {
  const { manner, denial, reading, refusal, content, body } = course;
  const warned = manner?.validate === "Warn" ? violationsOf(denial, reading) : [];
  const preference = manner?.preference ?? noPreference;
  const applied = preference === noPreference ? [] : appliedFields(preference, appliedWishes(preference, course)); // oxfmt-ignore
  const broken = violationFields([...warned, ...(body?.violations ?? [])]);
  const ours: Fields = [...(refusal?.headers ?? []), ...applied, ...broken];
  return {
    status,
    headers: [
      ...(content === undefined ? [] : ([["Content-Type", content.contentType]] as const)),
      ...(ours.length === 0 ? declared : declared.filter(([name]) => !hasField(ours, name))),
      ...ours,
    ],
    body: body?.text ?? null,
  };
}

function hasField(fields: Fields, name: string): boolean {
  return fields.some(([other]) => other.toLowerCase() === name.toLowerCase());
}

/** Which wishes shaped an answer: those that agree with what was decided. */
function appliedWishes(preference: Preference, { choice, body, manner }: Course): Set<WishName> {
  const { code, example, dynamic, seed, lenient } = preference;
  const applied = new Set<WishName>();
  if (code !== undefined && code.value === choice?.status) applied.add("code");
  if (example !== undefined && example.value === body?.example) applied.add("example");
  const generated = body?.source === "generated";
  if (dynamic !== undefined && body !== undefined && dynamic.value === generated) applied.add("dynamic"); // oxfmt-ignore
  if (seed !== undefined && generated) applied.add("seed");
  if (lenient !== undefined && manner?.validate === "Warn") applied.add("lenient");
  return applied;
}
