import { gunzipSync, gzipSync } from "node:zlib";

import { expect, test } from "vitest";

import { compiledFormat } from "../../lib/compiled/compiled.ts";
import { info, pack, unpack } from "../../lib/compiled/pack.ts";
import { compiledOf } from "../support/compiled.ts";

const compiled = compiledOf([{ path: "/é" }]);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("what was packed comes back, also from plain JSON", () => {
  const { packed } = pack(compiled);
  expect(unpack(packed)).toEqual(compiled);
  expect(unpack(new Uint8Array(gunzipSync(packed)))).toEqual(compiled);
});

test("the hash is ten hex digits of the content, not of its gzip", () => {
  const { hash } = pack(compiled);
  expect(hash).toMatch(/^[0-9a-f]{10}$/);
  expect(pack(structuredClone(compiled)).hash).toBe(hash);
  expect(pack({ ...compiled, title: "other" }).hash).not.toBe(hash);
});

test.for([
  ["nothing", bytes(""), /not JSON/],
  ["text", bytes("openapi: 3.0.4"), /apirator compile/],
  ["JSON of something else", bytes('{"openapi":"3.0.4"}'), /apirator compile/],
  ["null", bytes("null"), /no compiled definition/],
  [
    "another format",
    bytes(JSON.stringify({ ...compiled, format: 99 })),
    new RegExp(`format 99, ${compiledFormat} is understood`),
  ],
  [
    "a gzip that is cut off",
    new Uint8Array(gzipSync(JSON.stringify(compiled))).slice(0, 40),
    /damaged/,
  ],
  [
    "a gzip that grows without end",
    new Uint8Array(gzipSync(Buffer.alloc(65 * 1024 * 1024))),
    /too large/,
  ],
] as const)("%s is refused in one line", ([, input, message]) => {
  // oxfmt-ignore
  expect(() => unpack(input)).toThrow(message);
  expect(() => unpack(input)).toThrow(/^[^\n]*$/);
});

test("its information names version, title and the number of operations", () => {
  expect(info(compiled)).toEqual({ version: "3.1.1", title: "Test", operations: 1 });
});
