import { gunzipSync, gzipSync } from "node:zlib";

import { sha256 } from "../hash.ts";
import { hashLength } from "../names.ts";
import { compiledFormat } from "./compiled.ts";
import type { Compiled, CompiledInfo } from "./compiled.ts";
import { unpackedLimit } from "./limits.ts";

/**
 * Answers a compiled definition as gzipped JSON, with the hash that names it: the first 10 hex digits of the SHA-256 of the JSON, which holds
 * the format's version. It is not the hash of the bytes, because zlibs differ.
 */
export function pack(compiled: Compiled): { readonly hash: string; readonly packed: Uint8Array } {
  const json = JSON.stringify(compiled);
  return {
    hash: sha256(json).slice(0, hashLength),
    packed: new Uint8Array(gzipSync(json, { level: 9 })),
  };
}

/** Answers the compiled definition in the bytes: gzipped, or plain JSON. Throws an Error of one line where they hold none of this format. */
export function unpack(bytes: Uint8Array): Compiled {
  const json = textOf(bytes);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new Error(
      "this is no compiled definition: it is not JSON; make one with apirator compile FILE -o OUT",
      { cause: error },
    );
  }
  const format =
    typeof value === "object" && value !== null ? (value as Partial<Compiled>).format : undefined;
  if (format === compiledFormat) return value as Compiled;
  if (typeof format === "number") {
    throw new Error(
      `this compiled definition has format ${String(format)}, ${compiledFormat} is understood; compile it again`,
    );
  }
  throw new Error("this is no compiled definition; make one with apirator compile FILE -o OUT");
}

function textOf(bytes: Uint8Array): string {
  const gzipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!gzipped && bytes.byteLength > unpackedLimit) throw tooLarge();
  try {
    return new TextDecoder().decode(
      gzipped ? gunzipSync(bytes, { maxOutputLength: unpackedLimit }) : bytes,
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    throw new Error("this compiled definition is damaged: its gzip cannot be read", {
      cause: error,
    });
  }
}

function tooLarge(): Error {
  return new Error(`this compiled definition is too large: more than ${unpackedLimit} bytes`);
}

/** Answers what a status and a table say of it. */
export function info(compiled: Compiled): CompiledInfo {
  return {
    version: compiled.version,
    title: compiled.title,
    operations: compiled.operations.length,
  };
}
