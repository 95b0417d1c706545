import type { Sample } from "../lib/sample/sample.ts";

/** Answers the shell line that sends a sample with curl to a server; `base` is without a slash at the end. Pure. */
export function curlLine({ method, target, headers, body }: Sample, base: string): string {
  const words = ["curl"];
  const implied = body === undefined ? "GET" : "POST";
  if (method === "HEAD") words.push("-I");
  else if (method !== implied) words.push("-X", method);
  for (const [name, value] of headers) words.push("-H", word(`${name}: ${value}`));
  if (body?.kind === "text")
    words.push("-H", word(`Content-Type: ${body.type}`), "-d", word(body.text));
  for (const [name, value] of body?.kind === "form" ? body.pairs : [])
    words.push("--data-urlencode", word(`${name}=${value}`));
  for (const [name, value] of body?.kind === "multipart" ? body.pairs : [])
    words.push("--form-string", word(`${name}=${value}`));
  words.push(word(`${base}${target}`));
  return words.join(" ");
}

/** Quotes what a shell would not take as one word. */
function word(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
