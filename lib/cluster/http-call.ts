import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, type RequestOptions, request as httpsRequest } from "node:https";
import { ClusterError, classify, type StatusAnswer } from "./errors.ts";
import { type Access, KubeConfigError } from "./kubeconfig.ts";

/** One request to the API server. */
export interface Call {
  readonly method: "GET" | "PATCH" | "DELETE";
  /** Path and query. */
  readonly path: string;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: string;
}

/** What bounds a call. */
export interface Limits {
  /** Milliseconds for the whole call, from the credentials to the last byte of the answer. */
  readonly timeout: number;
  /** Bytes of an answer. */
  readonly answer: number;
}

/** Sends calls; answers the parsed JSON of a 2xx answer, else throws a `ClusterError`. */
export type Send = (call: Call) => Promise<unknown>;

interface Answer {
  readonly status: number;
  readonly text: string;
}

/**
 * Answers a sender with one keep-alive agent, so that many calls share a connection. Credentials are taken anew for each call (files
 * may change, tokens expire); after a 401 `find` is asked for the configuration again and the call repeated once, since a 401 did nothing.
 */
export function sender(find: () => Access, limits: Limits, userAgent: string): Send {
  let access = find();
  const agent = agentOf(access);
  return async (call) => {
    const asked = `${call.method} ${access.server}${call.path.split("?", 1)[0]}`;
    const deadline = AbortSignal.timeout(limits.timeout);
    const attempt = async (): Promise<Answer> => {
      const { headers, ...credentials } = await credentialsOf(access, deadline);
      const url = `${access.server}${call.path}`;
      const options = {
        ...credentials,
        agent,
        method: call.method,
        signal: deadline,
        headers: { ...headers, ...headersOf(call, userAgent) },
      };
      return await exchange(url, options, { body: call.body, limit: limits.answer });
    };
    try {
      let answer = await attempt();
      if (answer.status === 401) {
        access = find();
        answer = await attempt();
      }
      return resultOf(asked, answer);
    } catch (error) {
      if (error instanceof ClusterError) throw error;
      throw noAnswer(asked, deadline.aborted ? `not within ${limits.timeout / 1000} s` : error);
    }
  };
}

function agentOf(access: Access): HttpAgent | HttpsAgent {
  const options = { keepAlive: true, maxSockets: 16, scheduling: "lifo" as const };
  const Agent = access.server.startsWith("http:") ? HttpAgent : HttpsAgent;
  if (access.proxy === undefined) return new Agent(options);
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (!/^https?:/.test(access.proxy) || major < 24 || (major === 24 && minor < 5)) {
    throw new KubeConfigError(
      `proxy-url ${access.proxy} of context ${access.context} cannot be used: it must be an http or https URL, and Node 24.5 or newer; correct it, or use another context`,
    );
  }
  return new Agent({
    ...options,
    proxyEnv: { HTTP_PROXY: access.proxy, HTTPS_PROXY: access.proxy },
  });
}

type Credentials = Omit<RequestOptions, "headers"> & { headers: Record<string, string> };

async function credentialsOf(access: Access, deadline: AbortSignal): Promise<Credentials> {
  const options: RequestOptions = {};
  // A credential plugin has no time limit of its own.
  await orAbort(access.config.applyToHTTPSOptions(options), deadline);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    // A token read from a file may end in a line break, which no header can hold.
    headers[name] = String(value).trim();
  }
  return { ...options, headers };
}

async function orAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  return await new Promise<Value>((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
    work.then(resolve, reject);
  });
}

function headersOf(call: Call, userAgent: string): Record<string, string | number> {
  const headers: Record<string, string | number> = {
    Accept: call.accept ?? "application/json",
    "User-Agent": userAgent,
  };
  if (call.body === undefined) return headers;
  headers["Content-Type"] = call.contentType ?? "application/json";
  headers["Content-Length"] = Buffer.byteLength(call.body);
  return headers;
}

/** Sends, and again where the server closed an idle connection at the very moment it was reused (each such try uses one up). */
async function exchange(
  url: string,
  options: RequestOptions,
  about: { body: string | undefined; limit: number },
): Promise<Answer> {
  try {
    return await exchangeOnce(url, options, about);
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error;
    return await exchange(url, options, about);
  }
}

async function exchangeOnce(
  url: string,
  options: RequestOptions,
  about: { body: string | undefined; limit: number },
): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    const send = url.startsWith("http:") ? httpRequest : httpsRequest;
    const request = send(url, options, (response) => {
      textOf(response, about.limit).then(
        (text) => resolve({ status: response.statusCode ?? 0, text }),
        reject,
      );
    });
    request.on("error", (error: NodeJS.ErrnoException) => {
      const stale = request.reusedSocket && /^(ECONNRESET|EPIPE)$/.test(error.code ?? "");
      reject(stale ? new StaleConnection() : error);
    });
    request.end(about.body);
  });
}

class StaleConnection extends Error {}

async function textOf(response: IncomingMessage, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Leaving the loop destroys the response, and with it the connection.
    if (length > limit) throw new Error(`the answer has more than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function resultOf(asked: string, answer: Answer): unknown {
  const json = parsed(answer.text);
  if (answer.status >= 200 && answer.status < 300) {
    if (json !== undefined) return json;
    throw noAnswer(asked, `status ${answer.status} with a body that is no JSON`);
  }
  const status = (typeof json === "object" && json !== null ? json : {}) as StatusAnswer;
  throw new ClusterError({
    asked,
    status: answer.status,
    reason: status.reason ?? "",
    detail: status.message ?? answer.text.slice(0, 200),
    class: classify(answer.status, status),
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function noAnswer(asked: string, error: unknown): ClusterError {
  const detail = error instanceof Error ? error.message || error.name : String(error);
  return new ClusterError({ asked, status: 0, reason: "", detail, class: classify(0, {}) });
}
