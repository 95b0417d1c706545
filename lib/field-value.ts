/** What is not allowed in a field value (RFC 9110, section 5.5), as Node and the web check it. */
// oxlint-disable-next-line no-control-regex -- control characters are the point
const unfit = /[^\t\x20-\x7e\x80-\xff]/;

/** Answers whether a text can be sent as the value of a header field. */
export function isFieldValue(text: string): boolean {
  return !unfit.test(text);
}
