/**
 * Answers the text that a file's bytes are, with its byte order mark where it has one, so that places stay the file's. Throws an Error whose message
 * goes on from the file's name (`is not UTF-8 text; save it as UTF-8`): a character that is replaced in silence would go out in answers.
 */
export function decode(bytes: Uint8Array): string {
  // RFC 1952 section 2.3.1.
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) throw new Error("is gzip; unpack it with gunzip");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new Error("is not UTF-8 text; save it as UTF-8", { cause: error });
  }
}
