import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMockApp } from "../../functions/mock/app.ts";
import { defaultSettings } from "../../functions/mock/settings.ts";
import { noLog } from "../../lib/log.ts";
import type { Serving } from "../../lib/serve.ts";
import { serve } from "../../lib/serve.ts";
import { compiledOf, exampleOf, responseOf } from "../support/compiled.ts";

const responses = [responseOf("200", [["application/json", exampleOf("fine")]])];
const bytes = { pointer: "", required: false, content: [["application/octet-stream", { pointer: "", examples: [] }]] } as const; // oxfmt-ignore
const compiled = compiledOf(
  [
    { responses },
    { method: "POST", path: "/any", responses },
    { method: "POST", path: "/bytes", body: bytes, responses },
    {
      method: "POST",
      path: "/shut",
      security: [[["key", { scopes: [] }]]],
      body: bytes,
      responses,
    },
  ],
  { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
);

let server: Serving;

beforeAll(async () => {
  const app = createMockApp({ compiled, settings: defaultSettings, log: noLog, random: () => 0.5 });
  server = await serve(app, { port: 0, host: "127.0.0.1" });
});

afterAll(async () => {
  await server.close(0);
});

/** Sends the bytes on one connection, and answers all that comes back until it is closed. A reset fails the test. */
async function exchange(...parts: readonly (string | Uint8Array)[]): Promise<string> {
  const socket = connect(server.port, "127.0.0.1");
  const received = text(socket);
  for (const part of parts) {
    // oxlint-disable-next-line no-await-in-loop -- in order, as slow as the server takes it
    if (!socket.write(part)) await once(socket, "drain");
  }
  return await received;
}

function statusesOf(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

const last = "Host: mock.test\r\nConnection: close\r\n";

test.for<[line: string, status: number]>([
  ["GET /p HTTP/1.1", 200],
  ["GET http://other.test/p HTTP/1.1", 200],
  ["GET /p\\q HTTP/1.1", 404],
  ["GET //p HTTP/1.1", 404],
  ["GET /a/../p HTTP/1.1", 404],
  ["GET /%zz HTTP/1.1", 400],
  ["OPTIONS * HTTP/1.1", 204],
  ["OPTIONS /p HTTP/1.1", 204],
  ["TRACE /p HTTP/1.1", 405],
  ["PROPFIND /p HTTP/1.1", 405],
  ["CONNECT mock.test:80 HTTP/1.1", 501],
])("%s is answered %i", async ([line, status]) => {
  expect(statusesOf(await exchange(`${line}\r\n${last}\r\n`))).toEqual([status]);
});

test.for<[title: string, lines: readonly string[], status: number]>([
  [
    "Accept",
    ["GET /p HTTP/1.1", "Accept: text/plain", "Accept: application/json", "Content-Length: 1"],
    200,
  ],
  [
    "Content-Type",
    [
      "POST /bytes HTTP/1.1",
      "Content-Type: application/octet-stream",
      "Content-Type: text/plain",
      "Content-Length: 1",
    ],
    415,
  ],
])("a field %s that is sent twice is one list", async ([, lines, status]) => {
  const received = await exchange(`${lines.join("\r\n")}\r\n${last}\r\nx`);
  expect(statusesOf(received)).toEqual([status]);
});

test("requests on one connection are answered one after the other", async () => {
  const head = "HEAD /p HTTP/1.1\r\nHost: mock.test\r\n\r\n";
  const post = "POST /any HTTP/1.1\r\nHost: mock.test\r\nContent-Length: 5\r\n\r\nhello";
  const get = `GET /p HTTP/1.1\r\n${last}\r\n`;
  expect(statusesOf(await exchange(head, post, get))).toEqual([200, 200, 200]);
});

const megabyte = new Uint8Array(1024 * 1024);

function upload(path: string, megabytes: number): (string | Uint8Array)[] {
  const length = megabytes * megabyte.length;
  const head = `POST ${path} HTTP/1.1\r\nContent-Type: application/octet-stream\r\nContent-Length: ${length}\r\n${last}\r\n`;
  return [head, ...Array.from({ length: megabytes }, () => megabyte)];
}

test.for<[about: string, path: string, megabytes: number, status: number]>([
  ["a body of the largest size is read", "/bytes", 10, 200],
  ["a larger one is told so, and read on for a while", "/bytes", 12, 413],
  ["a body that nobody declared is read and ignored", "/any", 8, 200],
  ["a client that is not let in may finish sending", "/shut", 8, 401],
  ["a client that asks for nothing that is there may too", "/nothing", 8, 404],
])("%s", async ([, path, megabytes, status]) => {
  expect(statusesOf(await exchange(...upload(path, megabytes)))).toEqual([status]);
});

test("a client that goes away in the middle of its body harms nobody", async () => {
  const socket = connect(server.port, "127.0.0.1");
  socket.write(`POST /bytes HTTP/1.1\r\nContent-Type: application/octet-stream\r\nContent-Length: 99\r\n${last}\r\nab`); // oxfmt-ignore
  await once(socket, "connect");
  socket.destroy();
  expect(statusesOf(await exchange(`GET /p HTTP/1.1\r\n${last}\r\n`))).toEqual([200]);
});

test("a chunked body is read as any other", async () => {
  const head = `POST /bytes HTTP/1.1\r\nContent-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n${last}\r\n`;
  expect(statusesOf(await exchange(head, "3\r\nabc\r\n", "0\r\n\r\n"))).toEqual([200]);
});
