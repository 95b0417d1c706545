import type { Compiled, Operation } from "../../lib/compiled/compiled.ts";
import type { Answer } from "./exchange.ts";

/** Nothing comes from elsewhere, and requests go to this server alone. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none'"; // oxfmt-ignore

/** Answers a page that lists the operations of a definition, each with a form that tries it on this server. */
export function docsAnswer(compiled: Compiled): Answer {
  return {
    status: 200,
    headers: [
      ["Content-Type", "text/html; charset=utf-8"],
      ["Content-Security-Policy", policy],
    ],
    body: page(compiled),
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
for (const form of document.querySelectorAll("form")) form.onsubmit = async (event) => {
  event.preventDefault();
  const { path, headers, body } = form.elements, out = form.querySelector("pre");
  const fields = headers.value.split("\\n").filter((line) => line.includes(":"));
  try {
    const answer = await fetch(base + path.value, {
      method: form.dataset.method,
      headers: fields.map((line) => [line.split(":")[0].trim(), line.slice(line.indexOf(":") + 1).trim()]),
      body: body && body.value ? body.value : undefined,
    });
    const lines = [...answer.headers].map(([name, value]) => name + ": " + value);
    out.textContent = [answer.status + " " + answer.statusText, ...lines, "", await answer.text()].join("\\n");
  } catch (error) {
    out.textContent = String(error);
  }
};
</script>
</html>
`;
}

function operationText({ method, path, summary = "", parameters, body, responses }: Operation) {
  const fields = parameters
    .map(({ name, in: place, required }) => `${name} (${place}${required ? ", required" : ""})`)
    .join(", ");
  const [type] = body?.content[0] ?? [];
  const headers = type === undefined ? "" : `Content-Type: ${type}`;
  return `<details><summary><b>${escape(method)}</b> <code>${escape(path)}</code> ${escape(summary)}</summary>
<form data-method="${escape(method)}">
<label>Path <input name="path" value="${escape(path)}"></label>
<small>${escape(fields === "" ? "no parameters" : fields)}; answers ${escape(responses.map(([key]) => key).join(", "))}</small>
<label>Headers <textarea name="headers" rows="2">${escape(headers)}</textarea></label>
${body === undefined ? "" : `<label>Body <textarea name="body" rows="5"></textarea></label>`}
<button>Send</button>
<pre></pre>
</form></details>`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }; // oxfmt-ignore

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
