import type { Compiled } from "../../lib/compiled/compiled.ts";
import type { SampleBody } from "../../lib/sample/body.ts";
import { createSampler } from "../../lib/sample/sample.ts";

/** A request as the page's form shows it: all of it text that a person can edit. */
export interface FormSample {
  /** Path and query, percent-encoded. */
  readonly target: string;
  /** `name: value`, one a line. */
  readonly headers: string;
  readonly body: string;
}

/** Answers what makes a request that an operation takes, by the operation's place in the definition; undefined where there is none there. */
export function createFormSamples(compiled: Compiled): (index: number) => FormSample | undefined {
  const sampleOf = createSampler(compiled);
  return (index) => {
    const operation = compiled.operations[index];
    if (operation === undefined) return undefined;
    const { target, headers, body } = sampleOf(operation);
    const sent = body === undefined ? undefined : textOf(body);
    const fields = sent === undefined ? headers : [...headers, ["Content-Type", sent.type]];
    return {
      target,
      headers: fields.map(([name, value]) => `${name}: ${value}`).join("\n"),
      body: sent?.text ?? "",
    };
  };
}

const boundary = "part";

function textOf(body: SampleBody): { readonly type: string; readonly text: string } {
  if (body.kind === "text") return body;
  if (body.kind === "form")
    return {
      type: "application/x-www-form-urlencoded",
      text: body.pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join("&"),
    };
  const parts = body.pairs.map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name.replaceAll('"', "%22")}"\r\n\r\n${value}\r\n`,
  );
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    text: `${parts.join("")}--${boundary}--\r\n`,
  };
}
