import type { JsonObject } from "./json.ts";
import type { Place } from "./place.ts";
import { fieldName, invalidValue } from "./place.ts";
import type { Cause } from "./resource.ts";

/** Answers what a text breaks of its schema: length, pattern, format. */
export function textCauses(value: string, schema: JsonObject, place: Place): Cause[] {
  const causes: Cause[] = [];
  const { minLength, maxLength, pattern, format } = schema;
  if (typeof maxLength === "number" && isLonger(value, maxLength))
    causes.push({
      reason: "FieldValueTooLong",
      field: fieldName(place),
      message: `Too long: may not be more than ${maxLength} bytes`,
    });
  if (typeof minLength === "number" && !isLonger(value, minLength - 1))
    causes.push(invalidValue(place, value, `should be at least ${minLength} chars long`));
  if (typeof pattern === "string" && !new RegExp(pattern, "u").test(value))
    causes.push(invalidValue(place, value, `should match '${pattern}'`));
  if (format === "date-time" && !isDateTime(value))
    causes.push(invalidValue(place, value, `must be of type date-time: ${JSON.stringify(value)}`));
  return causes;
}

/** Whether the text has more code points (Go's runes) than that; they are counted only where the number of UTF-16 units leaves it open. */
function isLonger(text: string, most: number): boolean {
  if (text.length <= most) return false;
  return text.length > 2 * most || Array.from(text).length > most;
}

function isDateTime(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/.test(text) &&
    !Number.isNaN(Date.parse(text))
  );
}

/** Answers what a number breaks of its schema: bounds, multiples, format. */
export function numberCauses(value: number, schema: JsonObject, place: Place): Cause[] {
  const causes: Cause[] = [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema;
  if (
    typeof minimum === "number" &&
    (exclusiveMinimum === true ? value <= minimum : value < minimum)
  )
    causes.push(
      invalidValue(
        place,
        value,
        `should be greater than ${exclusiveMinimum === true ? "" : "or equal to "}${minimum}`,
      ),
    );
  if (
    typeof maximum === "number" &&
    (exclusiveMaximum === true ? value >= maximum : value > maximum)
  )
    causes.push(
      invalidValue(
        place,
        value,
        `should be less than ${exclusiveMaximum === true ? "" : "or equal to "}${maximum}`,
      ),
    );
  if (typeof multipleOf === "number" && value % multipleOf !== 0)
    causes.push(invalidValue(place, value, `should be a multiple of ${multipleOf}`));
  if (format === "int32" && Math.abs(value) > 2 ** 31)
    causes.push(invalidValue(place, value, `must be of type int32: "${value}"`));
  return causes;
}
