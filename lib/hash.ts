import { createHash } from "node:crypto";

/** Answers the SHA-256 of the text (as UTF-8) or bytes, as 64 lower-case hex digits. */
export function sha256(input: string | Uint8Array): string {
  return createHash("sha256").update(input).digest("hex");
}
