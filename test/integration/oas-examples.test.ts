import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "vitest";
import type { Compiled, Operation } from "../../lib/compiled/compiled.ts";
import { mockOf } from "../support/mock.ts";
import type { Answered } from "../support/mock.ts";
import { sampleRequests } from "../support/sample-request.ts";
import { declaredMedia, misfits } from "../support/second-validator.ts";

const root = dirname(createRequire(import.meta.url).resolve("@readme/oas-examples/package.json"));

/** Operations that are answered otherwise, each with its reason. */
const exceptions: Readonly<Record<string, string>> = {
  "3.0/json/circular-request-bodies.json directCircular":
    "a schema that must hold itself without end has no value",
  "3.0/json/http-status-codes.json GET /status/100": "1xx alone is no final response",
  "3.0/json/http-status-codes.json GET /status/101": "1xx alone is no final response",
  "3.0/json/http-status-codes.json GET /status/102": "1xx alone is no final response",
  "3.0/json/http-status-codes.json GET /status/103": "1xx alone is no final response",
  "3.0/json/schema-deprecated.json POST /anything":
    "branches of oneOf that overlap are best effort: the answer tells it in Apirator-Violations",
};

const files = ["2.0", "3.0", "3.1"].flatMap((version) =>
  readdirSync(join(root, version, "json"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .map((file) => `${version}/json/${file}`),
);

test.for(files)(
  "every operation of %s answers what it declares",
  { timeout: 120_000 },
  async (file, { expect }) => {
    const mock = await mockOf(readFileSync(join(root, file), "utf8"));
    const sampleOf = sampleRequests(mock.compiled);
    const faults: string[] = [];
    for (const operation of mock.compiled.operations) {
      if (exceptions[`${file} ${operation.id}`] !== undefined) continue;
      const { method, target, headers, body, fits } = sampleOf(operation);
      // What the definition contradicts is refused; its answer is looked at all the same.
      const answered = await mock.send(method, target, {
        headers: fits ? headers : { ...headers, Prefer: "handling=lenient" },
        ...(body !== undefined && { body }),
      });
      const fault = faultOf(mock.compiled, operation, answered);
      if (fault !== undefined) faults.push(`${method} ${target} ${body ?? ""}: ${fault}`);
    }
    expect(faults).toEqual([]);
  },
);

/** Answers what is wrong with an answer to a request that should be welcome. */
function faultOf(compiled: Compiled, operation: Operation, answered: Answered): string | undefined {
  const { status, text, json } = answered;
  const keys = operation.responses.map(([key]) => key);
  if (keys.length === 0) return status === 200 && text === "" ? undefined : `${status}, not 200`;
  const declared = [String(status), `${Math.trunc(status / 100)}XX`, "default"];
  if (!keys.some((key) => declared.includes(key))) return `${status} is not declared: ${text}`;
  if (status >= 400 && keys.some((key) => /^[2d]/.test(key)))
    return `refused with ${status} ${text}`;
  const type = answered.headers.get("content-type") ?? "";
  const media = declaredMedia(compiled, operation.id, { status, type });
  if (media?.schema === undefined || !type.includes("json")) return undefined;
  const wrong = misfits(compiled, media.schema, json);
  return wrong.length === 0 ? undefined : `${wrong.join("; ")}: ${text.slice(0, 500)}`;
}
