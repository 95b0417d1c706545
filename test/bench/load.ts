import { connect } from "node:net";
import { bytesOf, parseAnswer, type Probe } from "./http.ts";

/** Answers requests per second of the probe over `connections` keep-alive connections to loopback, for `seconds`. Throws where an answer has another status. */
export async function load(
  port: number,
  probe: Probe,
  options: { connections: number; seconds: number },
): Promise<number> {
  const bytes = bytesOf(probe, port);
  const rest = stayAwake();
  const began = performance.now();
  const until = began + options.seconds * 1000;
  const counts = await Promise.all(
    Array.from({ length: options.connections }, () =>
      connection(port, bytes, { until, status: probe.status }),
    ),
  ).finally(rest);
  const elapsed = (performance.now() - began) / 1000;
  return counts.reduce((sum, count) => sum + count, 0) / elapsed;
}

/**
 * Keeps this process from sleeping until what it answers is called. A client that sleeps between answers is woken by the server's own write, which on
 * a virtual machine costs more than the answer, and only for a server that is slower than the client: 10 µs of work looked like 20.
 */
function stayAwake(): () => void {
  let awake = true;
  const look = (): void => {
    if (awake) setImmediate(look);
  };
  look();
  return () => {
    awake = false;
  };
}

function connection(
  port: number,
  bytes: Buffer,
  goal: { until: number; status: number },
): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0;
    let rest: Buffer = Buffer.alloc(0);
    let known: Buffer | undefined;
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => socket.write(bytes));
    const next = (): void => {
      count += 1;
      if (performance.now() >= goal.until) socket.destroy();
      else socket.write(bytes);
    };
    socket.on("error", reject);
    socket.on("close", () => resolve(count));
    socket.on("data", (chunk: Buffer) => {
      // Reading every answer anew would cost the machine more than the fastest program does.
      if (rest.length === 0 && known !== undefined && isLike(chunk, known)) {
        next();
        return;
      }
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const parsed = parseAnswer(rest);
      if (parsed === undefined) return;
      const { status, body } = parsed.answer;
      if (status !== goal.status) {
        reject(new Error(`expected ${goal.status}, got ${status}: ${body}`));
        socket.destroy();
        return;
      }
      known = rest.subarray(0, parsed.length);
      rest = rest.subarray(parsed.length);
      next();
    });
  });
}

/** The length and the status line of an answer that was read before. */
function isLike(chunk: Buffer, known: Buffer): boolean {
  const statusLine = 12;
  return chunk.length === known.length && chunk.compare(known, 0, statusLine, 0, statusLine) === 0;
}
