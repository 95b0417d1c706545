import type { Dialect } from "./definition.ts";
import { member } from "./json.ts";
import type { JsonObject } from "./json.ts";
import type { Remark } from "./remark.ts";

const supported = "2.0, 3.0.x and 3.1.x are understood";

/** Answers which OpenAPI version the document is written in, or why that is unknown. */
export function versionOf(
  root: JsonObject,
): { readonly version: string; readonly dialect: Dialect } | { readonly remark: Remark } {
  const key = Object.hasOwn(root, "openapi") ? "openapi" : "swagger";
  const written = member(root, key);
  if (written === undefined) {
    return refuse("unknown-version", "", `neither openapi nor swagger is there; ${supported}`);
  }
  // `swagger: 2.0` without quotes is a number in YAML, and there is only one version it can mean.
  if (key === "swagger" && (written === "2.0" || written === 2))
    return { version: "2.0", dialect: "2.0" };
  if (typeof written !== "string") {
    const message = `${key} is not text; write it with quotes and three numbers, as in ${key}: "3.0.4"`;
    return refuse("unknown-version", `/${key}`, message);
  }
  const dialect = /^(3\.[01])\.\d+(?:-.+)?$/.exec(written)?.[1] as Dialect | undefined;
  if (key === "openapi" && dialect !== undefined) return { version: written, dialect };
  if (/^3\.2(?:\.|$)/.test(written)) {
    const message = `OpenAPI 3.2 is not understood yet; ${supported}: what does not need 3.2 works with openapi: 3.1.1`;
    return refuse("unsupported-version", `/${key}`, message);
  }
  return refuse(
    "unknown-version",
    `/${key}`,
    `${key} ${JSON.stringify(written).slice(0, 40)} is no version known; ${supported}`,
  );
}

function refuse(code: Remark["code"], pointer: string, message: string): { remark: Remark } {
  return { remark: { code, pointer, message } };
}
