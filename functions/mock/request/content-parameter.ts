import type { Media, Parameter } from "../../../lib/compiled/compiled.ts";
import { formatOf, parseMediaType } from "../media-type.ts";
import { coerce } from "./coerce.ts";
import { readJsonText } from "./content.ts";
import type { ContentReading } from "./content.ts";
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
  let content: ContentReading;
  if (format === "json") content = readJsonText(text, "The value");
  else if (format === "form") {
    const { readForm } = await import("./form.ts");
    const source = parameter.in === "querystring" ? raw : text;
    content = readForm(source, media.encoding ?? {}, reading?.tree);
  } else content = { value: coerce(text, reading?.tree) };
  if ("value" in content) return checked(parameter, content.value, reading);
  const { code, detail } = content.failure;
  const keyword = code === "malformed-body" ? "contentMediaType" : code;
  const message = detail.replace(/^The (?:value|form) /, "");
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
