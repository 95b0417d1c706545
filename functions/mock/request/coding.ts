import { unfold } from "../../../lib/unfold.ts";

/** Why content codings could not be undone. */
export type CodingFailure = "unsupported" | "malformed" | "too large";

const formats: ReadonlyMap<string, readonly string[]> = new Map([
  ["gzip", ["gzip"]],
  ["x-gzip", ["gzip"]],
  // Some clients send deflate without its zlib wrapper (RFC 9110, section 8.4.1.2).
  ["deflate", ["deflate", "deflate-raw"]],
  ["br", ["brotli"]],
]);

/** More than anybody applies; each may unfold to the whole limit. */
const maxCodings = 3;

/**
 * Undoes the content codings of a body (RFC 9110, section 8.4), the last applied first. `codings` is the Content-Encoding field,
 * `limit` the most bytes that any step may unfold to: reading stops there. It never rejects.
 */
export async function undoCodings(
  bytes: Uint8Array,
  codings: string,
  limit: number,
): Promise<Uint8Array | CodingFailure> {
  const names = codings.split(",").map((name) => name.trim().toLowerCase());
  const applied = names.filter((name) => name !== "" && name !== "identity");
  if (applied.length > maxCodings) return "unsupported";
  let plain = bytes;
  for (const name of applied.toReversed()) {
    const result = await undo(plain, formats.get(name) ?? [], limit);
    if (typeof result === "string") return result;
    plain = result;
  }
  return plain;
}

async function undo(
  bytes: Uint8Array,
  tries: readonly string[],
  limit: number,
): Promise<Uint8Array | CodingFailure> {
  let failure: CodingFailure = "unsupported";
  for (const format of tries) {
    const stream = decompressor(format);
    if (stream === undefined) continue;
    const result = await unfold(bytes, stream, limit);
    if (typeof result !== "string") return result;
    failure = result;
    if (failure === "too large") break;
  }
  return failure;
}

/** Undefined where this Node does not know the format. */
function decompressor(format: string): DecompressionStream | undefined {
  try {
    return new DecompressionStream(format as ConstructorParameters<typeof DecompressionStream>[0]);
  } catch {
    return undefined;
  }
}
