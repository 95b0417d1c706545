/**
 * Answers the bytes after the decompressor, at most `limit` of them: reading ends there, not at the end of what was packed, so that a few bytes
 * never become many. "too large" beyond it, "malformed" where the bytes are not what the decompressor reads. Never rejects.
 */
export async function unfold(
  bytes: Uint8Array,
  decompressor: DecompressionStream,
  limit: number,
): Promise<Uint8Array | "too large" | "malformed"> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const plain: AsyncIterable<Uint8Array> = new Blob([bytes]).stream().pipeThrough(decompressor);
    for await (const chunk of plain) {
      size += chunk.byteLength;
      if (size > limit) return "too large";
      chunks.push(chunk);
    }
  } catch {
    return "malformed";
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
