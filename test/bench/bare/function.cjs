// What is left of a function without us: bare node:http that makes the same calls to the API server and answers 204.
const { createServer } = require("node:http");
const { Agent, request } = require("node:https");
const { readFileSync } = require("node:fs");

const calls = JSON.parse(process.env.CALLS);
const server = new URL(process.env.API_SERVER);
const agent = new Agent({ keepAlive: true, ca: readFileSync(process.env.CA_FILE) });

function call({ path, accept }) {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        host: server.hostname,
        port: server.port,
        path,
        headers: { accept, authorization: "Bearer bench" },
      },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (chunk) => (text += chunk));
        answer.on("end", () => resolve(JSON.parse(text)));
      },
    );
    sent.on("error", reject);
    sent.end();
  });
}

createServer((incoming, outgoing) => {
  let text = "";
  incoming.setEncoding("utf8");
  incoming.on("data", (chunk) => (text += chunk));
  incoming.on("end", async () => {
    if (text !== "") JSON.parse(text);
    for (const one of calls) await call(one);
    outgoing.writeHead(204).end();
  });
}).listen(Number(process.env.PORT), "127.0.0.1");

// Ends as we do, so that Node writes its code cache.
process.once("SIGTERM", () => process.exit());
