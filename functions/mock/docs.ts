import type { Compiled, Operation } from "../../lib/compiled/compiled.ts";
import { makeProblem } from "../../lib/problem.ts";
import { createFormSamples } from "./docs-sample.ts";
import type { Answer, MockRequest } from "./exchange.ts";
import { jsonAnswer } from "./exchange.ts";
import { problemAnswer } from "./exit.ts";
import { parseTarget } from "./target.ts";

/** Nothing comes from elsewhere, and requests go to this server alone. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none'"; // oxfmt-ignore

/**
 * Answers what answers a page that lists the operations of a definition, each with a form that tries it on this server; with `?operation=N` a request that
 * the operation takes, which the page asks for when a form is opened: to make one can take a second where a schema is hostile.
 */
export function createDocs(compiled: Compiled): (request: MockRequest) => Answer {
  const body = page(compiled);
  const sampleAt = createFormSamples(compiled);
  return ({ target }) => {
    const wanted = new URLSearchParams(parseTarget(target)?.query).get("operation");
    if (wanted === null)
      return {
        status: 200,
        headers: [
          ["Content-Type", "text/html; charset=utf-8"],
          ["Content-Security-Policy", policy],
        ],
        body,
      };
    const sample = /^\d+$/.test(wanted) ? sampleAt(Number(wanted)) : undefined;
    if (sample !== undefined) return jsonAnswer(sample);
    const last = compiled.operations.length - 1;
    return problemAnswer(
      makeProblem("no-such-path", `the definition has no operation "${wanted}"; they are 0 to ${last}`, { instance: "/__apirator/docs" }), // oxfmt-ignore
    );
  };
}

function page({ title, version, operations }: Compiled): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
summary { cursor: pointer; padding: .4rem 0; }
code, pre, input, textarea { font: 14px/1.4 ui-monospace, monospace; }
b { display: inline-block; min-width: 5rem; }
input, textarea { width: 100%; box-sizing: border-box; }
pre { background: #f4f4f4; padding: 1rem; overflow: auto; white-space: pre-wrap; }
small { color: #666; }
</style>
<h1>${escape(title)}</h1>
<p>A mock of ${operations.length} operations (OpenAPI ${escape(version)}).
<a href="definition">Definition</a>, <a href="metrics">metrics</a>.</p>
${operations.map(operationText).join("\n")}
<script>
const base = location.pathname.replace(/\\/__apirator\\/docs$/, "");
const forms = document.querySelectorAll("form");
forms.forEach((form, index) => form.parentElement.addEventListener("toggle", async () => {
  const { path, headers, body } = form.elements;
  const answer = await fetch("docs?operation=" + index);
  if (!answer.ok) return;
  const sample = await answer.json();
  path.value = sample.target;
  headers.value = sample.headers;
  if (body) body.value = sample.body;
}, { once: true }));
for (const form of forms) form.onsubmit = async (event) => {
  event.preventDefault();
  const { path, headers, body } = form.elements, out = form.querySelector("pre");
  const lines = headers.value.split("\\n").filter((line) => line.includes(":"));
  const fields = lines.map((line) => [line.split(":")[0].trim(), line.slice(line.indexOf(":") + 1).trim()]);
  const isCookie = ([name]) => name.toLowerCase() === "cookie";
  const isMultipart = fields.some(([name, value]) => name.toLowerCase() === "content-type" && value.startsWith("multipart/"));
  // A page cannot send a Cookie of its own: its browser has to have them.
  const cookies = fields.filter(isCookie).flatMap(([, value]) => value.split("; "));
  for (const cookie of cookies) document.cookie = cookie + "; path=/";
  try {
    const answer = await fetch(base + path.value, {
      method: form.dataset.method,
      headers: fields.filter((field) => !isCookie(field)),
      // A field of a form has its lines end with a line feed; multipart needs both characters (RFC 2046 section 5.1.1).
      body: body && body.value ? (isMultipart ? body.value.replace(/\\r?\\n/g, "\\r\\n") : body.value) : undefined,
    });
    const received = [...answer.headers].map(([name, value]) => name + ": " + value);
    out.textContent = [answer.status + " " + answer.statusText, ...received, "", await answer.text()].join("\\n");
  } catch (error) {
    out.textContent = String(error);
  }
  for (const cookie of cookies) document.cookie = cookie.split("=")[0] + "=; path=/; max-age=0";
};
</script>
</html>
`;
}

function operationText({ method, path, summary = "", parameters, body, responses }: Operation) {
  const fields = parameters
    .map(({ name, in: place, required }) => `${name} (${place}${required ? ", required" : ""})`)
    .join(", ");
  return `<details><summary><b>${escape(method)}</b> <code>${escape(path)}</code> ${escape(summary)}</summary>
<form data-method="${escape(method)}">
<label>Path <input name="path" value="${escape(path)}"></label>
<small>${escape(fields === "" ? "no parameters" : fields)}; answers ${escape(responses.map(([key]) => key).join(", "))}</small>
<label>Headers <textarea name="headers" rows="3"></textarea></label>
${body === undefined ? "" : `<label>Body <textarea name="body" rows="5"></textarea></label>`}
<button>Send</button>
<pre></pre>
</form></details>`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }; // oxfmt-ignore

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
