import type { Media, Parameter } from "../../../lib/compiled/compiled.ts";
import { formatOf, parseMediaType } from "../media-type.ts";
import { coerce } from "./coerce.ts";
import { readJsonText } from "./content.ts";
import type { Reading } from "./context.ts";
import { absent, decoderOf, placeOf, rawOf } from "./parameters.ts";
import type { ParameterReading, Places } from "./parameters.ts";

/**
 * Reads a parameter that has `content` instead of a schema: its text is decoded, then understood as its media type says.
 * 3.2's `querystring` is the whole query. A type of no known structure is text. Never rejects.
 */
export async function readContentParameter(
  parameter: Parameter,
  [key, media]: readonly [key: string, media: Media],
  places: Places,
  reading: Reading | undefined,
): Promise<ParameterReading> {
  const raw = rawOf(parameter, places);
  if (raw === undefined) return absent(parameter, reading?.tree);
  const type = parseMediaType(key);
  const format = type === undefined ? "text" : formatOf(type);
  const text = decoderOf(parameter)(raw);
  if (format === "form") {
    const { readForm } = await import("./form.ts");
    const source = parameter.in === "querystring" ? raw : text;
    return checked(parameter, readForm(source, media.encoding ?? {}, reading?.tree), reading);
  }
  if (format !== "json") return checked(parameter, coerce(text, reading?.tree), reading);
  const json = readJsonText(text, "the value");
  if ("value" in json) return checked(parameter, json.value, reading);
  const keyword = json.failure.code === "malformed-body" ? "contentMediaType" : "maxDepth";
  const message = json.failure.detail.replace(/^the value /, "");
  return { violations: [{ ...placeOf(parameter), pointer: "", message, keyword }] };
}

function checked(
  parameter: Parameter,
  value: unknown,
  reading: Reading | undefined,
): ParameterReading {
  const violations = reading?.validate(value) ?? [];
  return {
    value,
    violations: violations.map((violation) => ({ ...placeOf(parameter), ...violation })),
  };
}
