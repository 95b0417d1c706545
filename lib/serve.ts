import type { IncomingMessage, Server } from "node:http";
import { createServer, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener, type HttpBindings } from "@hono/node-server";

/** What a server hands on with a request. `incoming` is Node's own. */
export interface ServeBindings extends HttpBindings {
  /** The request target as it stood in the request line: what a URL cannot carry is not in `incoming.url`. */
  readonly target: string;
}

/** Anything that answers requests; a Hono app is one. */
export interface App {
  fetch(request: Request, env: ServeBindings): Response | Promise<Response>;
}

/** Where to listen. Port 0 takes a free one. */
export interface Listen {
  readonly port: number;
  readonly host: string;
}

/** A server that listens. */
export interface Serving {
  readonly port: number;
  /** How it is reached on this machine, without a trailing slash. */
  readonly url: string;
  /** Takes no new connection, lets requests at work finish, and cuts what is left after `deadline` milliseconds. */
  close(deadline: number): Promise<void>;
}

/** A port or address that cannot be had. The message is one line with the remedy. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

/**
 * Starts the app on Node's HTTP server. A request that does not arrive whole within 30 seconds is answered 408 and its connection
 * closed, so that slow senders never hold the server; an answer may take as long as it likes (streams). Throws a `ListenError`.
 */
export async function serve(app: App, listen: Listen): Promise<Serving> {
  const listener = listenerOf(app);
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 2_000,
      // Longer than proxies keep an idle connection, so that the proxy closes it and never sends into a closing one.
      keepAliveTimeout: 75_000,
      // What has no body needs no stream that ends; Node before 24.12 makes one all the same.
      optimizeEmptyRequests: true,
    },
    listener,
  );
  server.on("connect", (incoming: IncomingMessage, socket: Socket) => {
    // Node has let go of the connection: nobody else hears its errors.
    socket.on("error", () => socket.destroy());
    const outgoing = new ServerResponse(incoming);
    outgoing.assignSocket(socket);
    outgoing.shouldKeepAlive = false;
    outgoing.on("finish", () => hangUp(socket));
    listener(incoming, outgoing);
  });
  const refused = new WeakSet<Socket>();
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    // Bytes that follow what could not be read cannot be read either.
    if (refused.has(socket)) return;
    refused.add(socket);
    if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
    else hangUp(socket, `HTTP/1.1 ${refusals[error.code ?? ""] ?? "400 Bad Request"}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`); // oxfmt-ignore
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(refusal(error, listen)));
    server.listen(listen.port, listen.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const reached = /^(0\.0\.0\.0|::)$/.test(listen.host) ? "localhost" : listen.host;
  const host = reached.includes(":") ? `[${reached}]` : reached;
  return {
    port,
    url: `http://${host}:${port}`,
    close: async (deadline) => await closed(server, deadline),
  };
}

/** Answers what hands requests on. Their URL is made to parse, whatever target and host were sent: routing is the app's, not the URL's. */
function listenerOf(app: App): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const targets = new WeakMap<object, string>();
  const listener = getRequestListener((request, env) => {
    const { incoming, outgoing } = env as HttpBindings;
    const target = targets.get(incoming) ?? incoming.url ?? "";
    return app.fetch(request, { incoming, outgoing, target });
  });
  return (incoming, outgoing) => {
    const { url = "" } = incoming;
    const path = pathOf(url);
    if (path !== url) {
      targets.set(incoming, url);
      incoming.url = path;
    }
    incoming.headers.host = "localhost";
    void listener(incoming, outgoing);
  };
}

/** Answers path and query of a target in any form (RFC 9112, section 3.2), as a URL can carry them. */
function pathOf(target: string): string {
  if (target.startsWith("/") && !target.includes("\\")) return target;
  const path = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, "").replaceAll("\\", "%5C");
  return path.startsWith("/") ? path : `/${path}`;
}

/** What Node's parser gives up on, by its codes; anything else is a bad request. */
const refusals: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
};

/** How long a connection that is given up is still read from, in milliseconds: unread bytes make a reset, and the answer is lost in it. */
const lingering = 2_000;

function hangUp(socket: Socket, last = ""): void {
  socket.end(last, "latin1");
  socket.resume();
  const cut = setTimeout(() => socket.destroy(), lingering);
  socket.once("close", () => clearTimeout(cut));
}

/**
 * Waits for SIGTERM or SIGINT, closes, and lets the process end by itself. A second signal cuts what still runs (npm passes on a Ctrl-C
 * that the terminal has sent already, so it must not kill).
 */
export async function closeOnSignal(serving: Serving, deadline: number): Promise<void> {
  await new Promise<void>((resolve) => {
    let left = deadline;
    const stop = (): void => {
      const closing = serving.close(left);
      left = 0;
      void (async () => {
        await closing;
        process.off("SIGTERM", stop).off("SIGINT", stop);
        resolve();
      })();
    };
    process.on("SIGTERM", stop).on("SIGINT", stop);
  });
}

async function closed(server: Server, deadline: number): Promise<void> {
  await new Promise<void>((resolve) => {
    // A connection whose request has just been answered is idle, but kept alive.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    const cut = setTimeout(() => server.closeAllConnections(), deadline);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(cut);
      resolve();
    });
  });
}

function refusal(error: NodeJS.ErrnoException, { port, host }: Listen): Error {
  const remedies: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} on ${host} is in use; stop what listens there, or choose another port`,
    EACCES: `port ${port} on ${host} is not allowed for this user; choose a port above 1023`,
    EADDRNOTAVAIL: `${host} is no address of this machine; choose another host, such as 127.0.0.1`,
    ENOTFOUND: `${host} is no address of this machine; choose another host, such as 127.0.0.1`,
  };
  return new ListenError(remedies[error.code ?? ""] ?? `${host}:${port}: ${error.message}`);
}
