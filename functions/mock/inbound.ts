import type { HttpBindings } from "@hono/node-server";
import type { RequestHeaders } from "./exchange.ts";
import { maxBody } from "./exchange.ts";

/** What a server hands on with a request. */
export interface MockBindings extends Partial<HttpBindings> {
  /** The request target as it stood in the request line, where the server keeps it apart from `incoming.url`. */
  readonly target?: string;
}

/** How long the rest of a body is waited for before an early answer, in milliseconds. */
const drainTime = 5000;

/** Answers the request target as it was sent. A `URL` would remove dot segments and rewrite backslashes, so it is the last resort. */
export function rawTarget(request: Request, env: MockBindings | undefined): string {
  const given = env?.target ?? env?.incoming?.url;
  if (given !== undefined) return given;
  const { url } = request;
  const slash = url.indexOf("/", url.indexOf("://") + 3);
  return slash === -1 ? "/" : url.slice(slash);
}

/** Fields of which Node keeps the first alone, or changes how they are joined; the web joins them all. */
const joinedByNode: ReadonlySet<string> = new Set(["age", "authorization", "content-length", "content-type", "etag", "expires", "from", "host", "if-modified-since", "if-unmodified-since", "last-modified", "location", "max-forwards", "proxy-authorization", "referer", "retry-after", "server", "set-cookie", "user-agent"]); // oxfmt-ignore

/** Answers the header fields of a request: from Node's own where there are any, because the web's cost more to ask. */
export function inboundHeaders(request: Request, env: MockBindings | undefined): RequestHeaders {
  const fields = env?.incoming?.headers;
  if (fields === undefined) return request.headers;
  return {
    get(name) {
      const lower = name.toLowerCase();
      if (joinedByNode.has(lower)) return request.headers.get(lower);
      const value = Object.hasOwn(fields, lower) ? fields[lower] : undefined;
      return typeof value === "string" ? value : null;
    },
  };
}

/** The body of one request: read at most once, and never beyond its bound. */
export interface InboundBody {
  /** Answers the bytes; undefined where there are more than `maxBody`. A connection that breaks ends the body. */
  read(): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /** Reads on to the end, 10 MB or 5 s, and throws it away: an answer to a client that still sends may be lost in a reset. False: there is still more. */
  drain(): boolean | Promise<boolean>;
}

/** Answers the body of a request: from Node's stream where there is one, because it costs less than the web's. */
export function inboundBody(request: Request, env: MockBindings | undefined): InboundBody {
  const incoming = env?.incoming;
  if (incoming === undefined ? request.body === null : !announcesBody(incoming)) return noBody;
  const source = incoming === undefined ? webSource(request) : nodeSource(incoming);
  return {
    async read() {
      const chunks: Uint8Array[] = [];
      const whole = await source(maxBody, (chunk) => chunks.push(chunk));
      if (!whole) return undefined;
      const [first] = chunks;
      return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
    },
    drain: () => incoming?.readableEnded === true || source(maxBody, () => {}, drainTime),
  };
}

/** RFC 9112, section 6: these two fields alone say that a body follows. */
function announcesBody({ headers }: NonNullable<MockBindings["incoming"]>): boolean {
  const length = headers["content-length"] ?? "0";
  return length !== "0" || headers["transfer-encoding"] !== undefined;
}

const noBody: InboundBody = {
  read: () => new Uint8Array(),
  drain: () => true,
};

/** Hands chunks on until the end (true), or until there are more bytes than `most` or the time is over (false). */
type Source = (
  most: number,
  take: (chunk: Uint8Array) => void,
  milliseconds?: number,
) => Promise<boolean>;

function nodeSource(incoming: NonNullable<MockBindings["incoming"]>): Source {
  return (most, take, milliseconds) =>
    new Promise((resolve) => {
      if (incoming.readableEnded || incoming.destroyed) {
        resolve(true);
        return;
      }
      let bytes = 0;
      const finish = (whole: boolean) => {
        clearTimeout(timer);
        resolve(whole);
        // At its end a request says no more, and whoever listened goes with it.
        if (whole) return;
        incoming.off("data", onData).off("end", onEnd).off("close", onEnd).off("error", onEnd);
        incoming.pause();
      };
      const onEnd = () => finish(true);
      const onData = (chunk: Uint8Array) => {
        bytes += chunk.length;
        if (bytes > most) finish(false);
        else take(chunk);
      };
      const timer =
        milliseconds === undefined ? undefined : setTimeout(() => finish(false), milliseconds);
      incoming.on("data", onData).on("end", onEnd).on("close", onEnd).on("error", onEnd);
      // It stands still where reading stopped at a bound.
      incoming.resume();
      // What paused itself does not flow again by being listened to.
      incoming.resume();
    });
}

function webSource(request: Request): Source {
  const reader = request.body?.getReader();
  let ended = reader === undefined;
  return async (most, take) => {
    let bytes = 0;
    while (!ended) {
      const chunk = await nextChunk(reader);
      ended = chunk === undefined;
      bytes += chunk?.length ?? 0;
      if (bytes > most) return false;
      if (chunk !== undefined) take(chunk);
    }
    return true;
  };
}

async function nextChunk(reader: ReadableStreamDefaultReader<Uint8Array> | undefined) {
  try {
    return (await reader?.read())?.value;
  } catch {
    // The sender went away: what came is all there is.
    return undefined;
  }
}
