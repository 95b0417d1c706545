import { connect, type Socket } from "node:net";

/** A request as bytes, with what its answer must be. */
export interface Probe {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number;
}

/** Answers the bytes of the probe as HTTP/1.1 with keep-alive. */
export function bytesOf(probe: Probe, port: number): Buffer {
  const length = Buffer.byteLength(probe.body);
  const lines = [
    `${probe.method} ${probe.path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    ...Object.entries(probe.headers).map(([name, value]) => `${name}: ${value}`),
    ...(length > 0 ? [`Content-Length: ${length}`] : []),
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${probe.body}`);
}

/** An answer read off a socket. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers the first answer in the bytes and how long it is, or undefined while it is not complete. Understands Content-Length and chunks. */
export function parseAnswer(bytes: Buffer): { answer: Answer; length: number } | undefined {
  const head = bytes.indexOf("\r\n\r\n");
  if (head < 0) return undefined;
  const [first = "", ...lines] = bytes.subarray(0, head).toString("latin1").split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(":")).toLowerCase(),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  );
  const status = Number(first.split(" ")[1]);
  const start = head + 4;
  if (headers["transfer-encoding"] === "chunked") {
    const end = bytes.indexOf("0\r\n\r\n", start);
    if (end < 0) return undefined;
    return {
      answer: { status, headers, body: bytes.subarray(start, end).toString("utf8") },
      length: end + 5,
    };
  }
  const length = status === 204 ? 0 : Number(headers["content-length"] ?? 0);
  if (bytes.length < start + length) return undefined;
  return {
    answer: { status, headers, body: bytes.subarray(start, start + length).toString("utf8") },
    length: start + length,
  };
}

/** Sends the bytes on a new connection to loopback and answers the first answer; rejects where nobody listens yet or the connection ends. */
export function once(port: number, bytes: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let seen = Buffer.alloc(0);
    const socket: Socket = connect({ port, host: "127.0.0.1", noDelay: true }, () =>
      socket.write(bytes),
    );
    socket.on("data", (chunk: Buffer) => {
      seen = Buffer.concat([seen, chunk]);
      const parsed = parseAnswer(seen);
      if (parsed === undefined) return;
      resolve(parsed.answer);
      socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the connection ended without an answer")));
  });
}
