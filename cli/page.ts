import type { FiledFinding, MockRow } from "./row.ts";
import type { Complaint } from "./upkeep.ts";
import { behaviour, style } from "./page-assets.ts";

/** What the page shows. */
export interface PageState {
  readonly folder: string;
  readonly rows: readonly MockRow[];
  readonly complaints: readonly Complaint[];
}

/** Path of the stream that tells the page of changes (server-sent events). */
export const pageEvents = "/__apirator/events";

/** Answers the whole page: self-contained, light or dark as the browser is, up to date by itself. Pure. */
export function pageText(state: PageState): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Apirator</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="state">${stateText(state)}</div>
<script>${behaviour(pageEvents)}</script>
</body>
</html>
`;
}

/** Answers the part of the page that changes. Pure. */
export function stateText({ folder, rows, complaints }: PageState): string {
  const ready = rows.filter((row) => row.ready === "True").length;
  return `<header>
<h1>Apirator</h1>
<p class="count">${count(rows.length, "mock")}, ${ready} ready</p>
<p class="live" aria-live="polite"><span class="pulse"></span><span class="on">live</span><span class="off">stopped</span></p>
</header>
<main>
${complaints.map(complaintText).join("\n")}
${rows.length === 0 ? emptyText(folder) : rows.map(mockText).join("\n")}
</main>
<footer>Edit a file in <code>${escaped(folder)}</code> and this page follows. What a bad edit refuses goes on serving as it was.</footer>`;
}

function mockText(row: MockRow): string {
  const state = stateOf(row);
  const name = `<span class="namespace">${escaped(row.namespace)}/</span>${escaped(row.name)}`;
  const facts = [
    row.title,
    row.version === "" ? "" : `OpenAPI ${row.version}`,
    row.operations === 0 ? "" : count(row.operations, "operation"),
  ];
  return `<article class="mock ${state.tone}">
<div class="line">
<span class="state">${state.text}</span>
<h2>${name}</h2>
<p class="facts">${joined(facts.map(escaped))}</p>
${row.url === "" ? "" : linksText(row.url)}
${row.ready === "True" || row.url === "" ? "" : `<p class="kept">The last good definition goes on serving.</p>`}
</div>
${row.ready !== "True" && row.findings.length === 0 ? reasonText(row) : ""}
${row.findings.length === 0 ? "" : `<ul>${row.findings.map(findingText).join("")}</ul>`}
</article>`;
}

function linksText(url: string): string {
  const href = escaped(url);
  return `<nav><a class="url" href="${href}">${href}</a><a href="${href}__apirator/docs">Try it</a><a href="${href}__apirator/definition">Definition</a></nav>`;
}

function findingText(finding: FiledFinding): string {
  const { severity, code, line, column, message, file } = finding;
  const place = line === 0 ? "" : `line ${line}, column ${column}`;
  const parts =
    file === undefined
      ? [place]
      : [`<code>${escaped(file)}</code>`, place === "" ? "" : `${place} of the definition`];
  return `<li class="${severity}"><b>${severity}</b><span class="message">${escaped(message)}</span><span class="place">${joined([...parts, escaped(code)])}</span></li>`;
}

function reasonText({ reason, message }: MockRow): string {
  if (reason === "") return "";
  return `<ul><li class="error"><b>${escaped(reason)}</b><span class="message">${escaped(message)}</span></li></ul>`;
}

function complaintText({ file, line, column, message }: Complaint): string {
  return `<article class="mock bad"><div class="line"><span class="state">Unread</span><h2>${escaped(file)}</h2></div>
<ul><li class="error"><b>error</b><span class="message">${escaped(message)}</span><span class="place">${joined([`line ${line}, column ${column}`])}</span></li></ul></article>`;
}

function emptyText(folder: string): string {
  return `<article class="mock"><p class="kept">Nothing here yet. Put an OpenAPI document or an APIMock into <code>${escaped(folder)}</code>.</p></article>`;
}

/** An edit that is refused while the old definition serves is no outage, and does not look like one. */
function stateOf({ ready, reason, url }: MockRow): { tone: string; text: string } {
  if (ready === "True") return { tone: "good", text: "Ready" };
  if (ready === "Unknown" || reason === "") return { tone: "waiting", text: "Starting" };
  return url === ""
    ? { tone: "bad", text: "Not serving" }
    : { tone: "waiting", text: "Edit refused" };
}

/** Answers the parts that say something, with dots between; none of them is broken over lines. */
function joined(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== "")
    .map((part) => `<span class="part">${part}</span>`)
    .join(" ");
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function escaped(text: string): string {
  const entities: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
