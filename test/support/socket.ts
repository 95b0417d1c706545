import { connect } from "node:net";

/** How long a server may take before what came so far is the answer, in milliseconds. */
const patience = 20_000;

/** Sends bytes as they are over a connection of their own; answers all that came until the server closed it. */
export function sendRaw(port: number, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.setEncoding("latin1");
    socket.setTimeout(patience, () => socket.destroy());
    socket.on("data", (text: string) => (answer += text));
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}
