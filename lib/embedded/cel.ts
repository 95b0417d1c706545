import { Environment, Optional } from "@marcbachmann/cel-js";
import type { Json, JsonObject } from "./json.ts";
import { isList, isObject, memberOf, sameJson, textOf } from "./json.ts";
import { memberSchema } from "./complete.ts";
import type { Cause } from "./resource.ts";
import type { Place } from "./place.ts";
import { fieldName } from "./place.ts";
import { itemPlace, memberPlace } from "./schema.ts";

/** A rule of `x-kubernetes-validations`, ready to be asked. */
interface Rule {
  readonly text: string;
  /** Whether it speaks of `oldSelf`: then it is asked of updates alone, unless `optionalOldSelf`. */
  readonly isTransition: boolean;
  readonly optionalOldSelf: boolean;
  readonly reason: string;
  readonly fieldPath: string;
  holds(context: Record<string, unknown>): unknown;
  message(context: Record<string, unknown>): string;
}

/** Answers the causes of all rules that a value breaks; the rules of a schema are compiled once. */
export type RuleCheck = (value: Json, place: Place) => Cause[];

/**
 * Answers the check of the CEL rules in a structural schema and below it.
 * @throws Error where a rule cannot be parsed: a CRD with it would be refused
 */
export function compileRules(schema: JsonObject): RuleCheck {
  const compiled = new Map<JsonObject, readonly Rule[]>();
  compileBelow(schema, compiled);
  return (value, place) => ruleCauses(value, schema, { place, compiled });
}

function compileBelow(schema: JsonObject, compiled: Map<JsonObject, readonly Rule[]>): void {
  const rules = schema["x-kubernetes-validations"];
  if (isList(rules)) compiled.set(schema, rules.filter(isObject).map(compileRule));
  for (const keyword of ["items", "additionalProperties"]) {
    const below = memberOf(schema, keyword);
    if (isObject(below)) compileBelow(below, compiled);
  }
  const properties = memberOf(schema, "properties");
  for (const property of isObject(properties) ? Object.values(properties) : [])
    if (isObject(property)) compileBelow(property, compiled);
}

function environment(optionalOldSelf: boolean): Environment {
  return new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false })
    .registerVariable("self", "dyn")
    .registerVariable("oldSelf", optionalOldSelf ? "optional" : "dyn");
}

function compileRule(rule: JsonObject): Rule {
  const text = textOf(rule["rule"] ?? "");
  const optionalOldSelf = rule["optionalOldSelf"] === true;
  const env = environment(optionalOldSelf);
  const expression = rule["messageExpression"];
  const spoken = typeof expression === "string" ? env.parse(expression) : undefined;
  const message =
    typeof rule["message"] === "string" ? rule["message"].trim() : `failed rule: ${text}`;
  return {
    text,
    isTransition: /\boldSelf\b/.test(text),
    optionalOldSelf,
    reason: typeof rule["reason"] === "string" ? rule["reason"] : "FieldValueInvalid",
    fieldPath: typeof rule["fieldPath"] === "string" ? rule["fieldPath"] : "",
    holds: env.parse(text),
    message: (context) => {
      if (spoken === undefined) return message;
      try {
        const said: unknown = spoken(context);
        return typeof said === "string" && said.trim() !== "" ? said : message;
      } catch {
        return message;
      }
    },
  };
}

interface Walk {
  readonly place: Place;
  readonly compiled: ReadonlyMap<JsonObject, readonly Rule[]>;
}

function ruleCauses(value: Json, schema: JsonObject, walk: Walk): Cause[] {
  const { place, compiled } = walk;
  const own = (compiled.get(schema) ?? []).flatMap((rule) => ask(rule, value, { schema, place }));
  if (isList(value)) {
    const items = memberOf(schema, "items");
    if (!isObject(items)) return own;
    const below = value.flatMap((item, index) =>
      ruleCauses(item, items, { compiled, place: itemPlace(place, schema, { index, item }) }),
    );
    return [...own, ...below];
  }
  if (!isObject(value)) return own;
  const below = Object.entries(value).flatMap(([name, member]) => {
    const known = memberSchema(schema, name);
    return isObject(known)
      ? ruleCauses(member, known, { compiled, place: memberPlace(place, name) })
      : [];
  });
  return [...own, ...below];
}

function ask(rule: Rule, value: Json, at: { schema: JsonObject; place: Place }): Cause[] {
  const { schema, place } = at;
  const { old } = place;
  if (rule.isTransition && !rule.optionalOldSelf && old === undefined) return [];
  // Ratcheting: what was let in before is not refused now, unless the rule is about the change itself.
  if (!rule.isTransition && old !== undefined && sameJson(old, value)) return [];
  const before = old === undefined ? undefined : toCel(old, schema);
  const context = {
    self: toCel(value, schema),
    oldSelf: rule.optionalOldSelf
      ? before === undefined
        ? Optional.none()
        : Optional.of(before)
      : before,
  };
  const failure = failureOf(rule, context);
  if (failure === undefined) return [];
  return [
    {
      reason: rule.reason,
      field:
        rule.fieldPath === ""
          ? fieldName(place)
          : `${place.path}${place.path === "" ? rule.fieldPath.slice(1) : rule.fieldPath}`,
      message: `${introduction(rule.reason, schema)}: ${failure}`,
    },
  ];
}

function failureOf(rule: Rule, context: Record<string, unknown>): string | undefined {
  try {
    return rule.holds(context) === true ? undefined : rule.message(context);
  } catch (error) {
    const why = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    return `rule ${JSON.stringify(rule.text)} cannot be evaluated: ${why}`;
  }
}

function introduction(reason: string, schema: JsonObject): string {
  const words: Record<string, string> = {
    FieldValueForbidden: "Forbidden",
    FieldValueRequired: "Required value",
    FieldValueDuplicate: `Duplicate value: ${JSON.stringify(schema["type"])}`,
  };
  return words[reason] ?? `Invalid value: ${JSON.stringify(schema["type"] ?? "")}`;
}

/** The value as CEL sees it: whole numbers as int, date-times as timestamp, and members that the schema knows. */
function toCel(value: Json, schema: JsonObject): unknown {
  if (typeof value === "number")
    return schema["type"] === "integer" || schema["x-kubernetes-int-or-string"] === true
      ? BigInt(Math.trunc(value))
      : value;
  if (typeof value === "string") return schema["format"] === "date-time" ? new Date(value) : value;
  if (isList(value)) {
    const items = memberOf(schema, "items");
    return isObject(items) ? value.map((item) => toCel(item, items)) : value;
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const known = memberSchema(schema, name);
      return isObject(known) ? [[name, toCel(member, known)]] : [];
    }),
  );
}
