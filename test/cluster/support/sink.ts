import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { addresses } from "../places.ts";

/** A request as it came: header names as they were sent, the body as text. `apirator replay` reads it as an event. */
export interface RecordedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A receiver of events in the test's own process, which pods of the test cluster reach by the node's address. */
export interface Sink {
  /** Answers the URL for a channel of its own: a path. */
  readonly url: (channel: string) => string;
  /** Answers what came to the channel, in its order. */
  readonly received: (channel: string) => readonly RecordedRequest[];
  /** Forgets what came so far. */
  readonly clear: () => void;
  readonly close: () => void;
}

/** Starts a sink that takes everything with 204. */
export async function startSink(): Promise<Sink> {
  const channels = new Map<string, RecordedRequest[]>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const channel = (request.url ?? "/").slice(1);
      const names = request.rawHeaders.filter((_, index) => index % 2 === 0);
      const headers = names.map((name, index) => [name, request.rawHeaders[index * 2 + 1] ?? ""]);
      const recorded = {
        headers: Object.fromEntries(headers) as Record<string, string>,
        body: Buffer.concat(chunks).toString("utf8"),
      };
      channels.set(channel, [...(channels.get(channel) ?? []), recorded]);
      response.writeHead(204).end();
    });
  }).listen(0, "0.0.0.0");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (channel) => `http://${addresses.node}:${port}/${channel}`,
    received: (channel) => channels.get(channel) ?? [],
    clear: () => channels.clear(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Answers an attribute of the event that the request carries in binary mode, "" where it has none. */
export function attribute({ headers }: RecordedRequest, name: string): string {
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === `ce-${name}`);
  return found?.[1] ?? "";
}
