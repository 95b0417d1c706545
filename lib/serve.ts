import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";

/** Anything that answers requests; a Hono app is one. `env.incoming` is Node's own request. */
export interface App {
  fetch(request: Request, env: HttpBindings): Response | Promise<Response>;
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
  const server = createAdaptorServer({
    fetch: async (request, env) => await app.fetch(request, env as HttpBindings),
    serverOptions: {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 2_000,
      // Longer than proxies keep an idle connection, so that the proxy closes it and never sends into a closing one.
      keepAliveTimeout: 75_000,
    },
  }) as Server;
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
