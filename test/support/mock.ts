import type { Compiled } from "../../lib/compiled/compiled.ts";
import { compileDefinition } from "../../lib/definition/compile.ts";
import type { Finding } from "../../lib/finding.ts";
import { noLog } from "../../lib/log.ts";
import { createMockApp } from "../../functions/mock/app.ts";
import { defaultSettings } from "../../functions/mock/settings.ts";
import type { MockSettings } from "../../functions/mock/settings.ts";

/** What a request carries besides its method and target. */
export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** What a mock answered. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined where it is none. */
  readonly json: unknown;
}

/** A mock without a server. */
export interface TestMock {
  readonly compiled: Compiled;
  readonly findings: readonly Finding[];
  /** Sends one request; `target` stands in the request line as it is. */
  send(method: string, target: string, sent?: Sent): Promise<Answered>;
}

/** Answers the mock of a definition, given as text or as an object; throws, with the findings, where it is refused. */
export async function mockOf(
  definition: string | object,
  settings: Partial<MockSettings> = {},
): Promise<TestMock> {
  const text = typeof definition === "string" ? definition : JSON.stringify(definition);
  const { compiled, findings } = await compileDefinition(text, { now: () => 0 });
  if (compiled === undefined) {
    throw new Error(`the definition is refused: ${JSON.stringify(findings)}`);
  }
  return { ...mockFrom(compiled, settings), findings };
}

/** Answers the mock of a definition that is compiled already. */
export function mockFrom(
  compiled: Compiled,
  settings: Partial<MockSettings> = {},
): Omit<TestMock, "findings"> {
  const app = createMockApp({
    compiled,
    settings: { ...defaultSettings, ...settings },
    log: noLog,
    random: () => 0.5,
  });
  return {
    compiled,
    async send(method, target, sent = {}) {
      const response = await app.fetch(requestOf(method, sent), { target });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, json: parsed(text) };
    },
  };
}

/** The web refuses some methods, and bodies of others, that a server has to understand: so the method is put in afterwards. */
function requestOf(method: string, { headers, body }: Sent): Request {
  const request = new Request("http://mock.test/", {
    method: "POST",
    ...(headers !== undefined && { headers }),
    ...(body !== undefined && { body }),
  });
  if (headers === undefined || new Headers(headers).get("content-type") === null) {
    // What the web adds by itself was not sent.
    request.headers.delete("content-type");
  }
  return Object.defineProperty(request, "method", { value: method });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
