import { answer } from "./answer.ts";
import type { Course } from "./course.ts";
import type { Answer, MockRequest } from "./exchange.ts";
import { jsonAnswer, maxBody } from "./exchange.ts";
import { explain } from "./explain.ts";
import type { Mock } from "./mock.ts";
import { readJson } from "./request/content.ts";
import { finish } from "./waiting.ts";

/** A request to be explained, as `/__apirator/explain` takes it. */
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

/**
 * Answers what would be answered to the request that this one describes: by the query keys `method`, `path`, `header` (`Name: value`,
 * as often as needed) and `body`, or by a JSON object with `method`, `path`, `headers` and `body`. Always 200.
 */
export async function explainRequest(mock: Mock, request: MockRequest): Promise<Answer> {
  const asked = request.method === "POST" ? await fromBody(request) : fromQuery(request.target);
  if (typeof asked === "string") return jsonAnswer({ error: asked });
  const described: MockRequest = {
    method: asked.method,
    target: asked.path,
    headers: { get: (name) => asked.headers.get(name.toLowerCase()) ?? null },
    body: () => (asked.body.length > maxBody ? undefined : asked.body),
  };
  const course: Course = {};
  const said = await finish(answer(mock, described, course));
  return explain(mock, described, said, course);
}

async function fromBody({ body }: MockRequest): Promise<Asked | string> {
  const reading = readJson((await body()) ?? new Uint8Array());
  if ("value" in reading && typeof reading.value === "object" && reading.value !== null) {
    return fromObject({ ...reading.value });
  }
  return `The body is no JSON object; send one such as {"method": "GET", "path": "/"}`;
}

function fromObject(value: Readonly<Record<string, unknown>>): Asked {
  const { method = "GET", path = "/", headers, body } = value;
  const pairs = typeof headers === "object" && headers !== null ? Object.entries(headers) : [];
  const structured = typeof body === "object" && body !== null;
  const typed: [string, string][] = structured ? [["content-type", "application/json"]] : [];
  return {
    method: String(method),
    path: String(path),
    headers: new Map([...typed, ...pairs.map(([name, text]): [string, string] => [name.toLowerCase(), String(text)])]), // oxfmt-ignore
    body: new TextEncoder().encode(textOf(body)),
  };
}

function textOf(body: unknown): string {
  if (body === undefined) return "";
  return typeof body === "string" ? body : JSON.stringify(body);
}

function fromQuery(target: string): Asked {
  const query = new URLSearchParams(target.slice(target.indexOf("?") + 1));
  const headers = query.getAll("header").map((text): [string, string] => {
    const [name = "", ...value] = text.split(":");
    return [name.trim().toLowerCase(), value.join(":").trim()];
  });
  return {
    method: query.get("method") ?? "GET",
    path: query.get("path") ?? "/",
    headers: new Map(headers),
    body: new TextEncoder().encode(query.get("body") ?? ""),
  };
}
