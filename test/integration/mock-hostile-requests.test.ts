import { afterAll, beforeAll, expect, test } from "vitest";
import { createMockApp } from "../../functions/mock/app.ts";
import { defaultSettings } from "../../functions/mock/settings.ts";
import type { Media } from "../../lib/compiled/compiled.ts";
import { noLog } from "../../lib/log.ts";
import { type Serving, serve } from "../../lib/serve.ts";
import { compiledOf, exampleOf, responseOf } from "../support/compiled.ts";
import { sendRaw } from "../support/socket.ts";

let server: Serving;

const json = "application/json";
const form = "application/x-www-form-urlencoded";

/** A body of a type, of which only `l` is described. */
function anyOf(type: string): [string, Media] {
  const encoding = { l: { style: "form", explode: false } } as const;
  return [type, { pointer: "", examples: [], schema: "any", encoding }];
}

beforeAll(async () => {
  const responses = [responseOf("200", [["application/json", exampleOf("fine")]])];
  const body = { pointer: "", required: true, content: [["text/plain", { pointer: "", examples: [] }]] } as const; // oxfmt-ignore
  const compiled = compiledOf(
    [
      { method: "GET", path: "/p", responses },
      { method: "POST", path: "/p", responses, body },
      {
        method: "POST",
        path: "/any",
        responses,
        body: { ...body, content: [anyOf(json), anyOf(form)] },
      },
    ],
    { schemas: { any: { properties: { l: { type: "array", items: { type: "string" } } } } } },
  );
  const app = createMockApp({ compiled, settings: defaultSettings, log: noLog, random: () => 0.5 });
  server = await serve(app, { port: 0, host: "127.0.0.1" });
});

afterAll(async () => await server.close(0));

test.for<[about: string, line: string, fields: string, status: number]>([
  ["a target in absolute form", "GET http://other.test:81/p HTTP/1.1", "Host: x", 200],
  ["one whose host is none", "GET http://[::x/p HTTP/1.1", "Host: x", 200],
  ["one of another scheme", "GET ftp://other.test/p HTTP/1.1", "Host: x", 200],
  ["a backslash in the path", "GET /\\p HTTP/1.1", "Host: x", 404],
  ["the server as a whole", "OPTIONS * HTTP/1.1", "Host: x", 204],
  ["an asterisk that is no path", "GET * HTTP/1.1", "Host: x", 400],
  ["a tunnel", "CONNECT other.test:80 HTTP/1.1", "Host: x", 501],
  ["HTTP/1.0 without a host", "GET /p HTTP/1.0", "X-Field: x", 200],
  ["an empty host", "GET /p HTTP/1.1", "Host:", 200],
  ["a host that is none", "GET /p HTTP/1.1", "Host: a b/c", 200],
  ["a host with a port beyond all", "GET /p HTTP/1.1", "Host: my_host:99999", 200],
  ["a protocol that is not spoken", "GET /p HTTP/1.1", "Host: x\r\nUpgrade: h2c", 200],
  ["a method that is not understood", "TRACE /p HTTP/1.1", "Host: x", 405],
])("%s is answered by the mock", async ([, line, fields, status]) => {
  const answer = await sendRaw(server.port, `${line}\r\n${fields}\r\nConnection: close\r\n\r\n`);
  expect(answer.split("\r\n")[0]).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer).toContain("Access-Control-Allow-Origin: *");
});

test("header fields that are too large are told so before the connection ends", async () => {
  const field = "a".repeat(300_000);
  const answer = await sendRaw(server.port, `GET /p HTTP/1.1\r\nHost: x\r\nX: ${field}\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 431 /);
});

test("a body beyond the bound is read to its end, so that the connection can go on", async () => {
  const body = "a".repeat(11 * 1024 * 1024);
  const answer = await fetch(`${server.url}/p`, { method: "POST", body });
  expect(answer.status).toBe(413);
  expect(answer.headers.get("connection")).toBe("keep-alive");
});

test("a tunnel that breaks off stops nothing", async () => {
  await sendRaw(server.port, "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n\x16\x03\x01rest");
  expect(await (await fetch(`${server.url}/p`)).text()).toBe('"fine"');
});

test.for<[about: string, type: string, body: string, status: number]>([
  ["very many objects", json, `[${"{},".repeat(3_000_000)}{}]`, 422],
  ["very many lists", json, `[${"[],".repeat(3_000_000)}[]]`, 422],
  ["commas within a text", json, `"${",{[".repeat(1_000_000)}"`, 200],
  ["as many values as are allowed", json, `[${"0,".repeat(249_997)}0]`, 200],
  ["very many pairs of one name", form, "a=1&".repeat(2_500_000), 422],
  ["nothing but separators", form, "&".repeat(10_000_000), 422],
  ["a list of nothing but commas", form, `l=${",".repeat(10_000_000)}`, 422],
  ["nothing but spaces", form, `a=${"+".repeat(10_000_000)}`, 200],
])("%s in one body", async ([, type, body, status]) => {
  const request = { method: "POST", headers: { "Content-Type": type }, body };
  expect((await fetch(`${server.url}/any`, request)).status).toBe(status);
});
