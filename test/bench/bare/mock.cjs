// What is left of a mock without us: bare node:http that reads the same compiled definition and sends the same bytes.
const { createServer } = require("node:http");
const { readFileSync } = require("node:fs");
const { gunzipSync } = require("node:zlib");

const definition = JSON.parse(gunzipSync(readFileSync(process.env.DEFINITION)).toString("utf8"));
if (definition.operations.length === 0) throw new Error("the definition has no operations");
const { status, headers, body } = JSON.parse(process.env.ANSWER);
const bytes = Buffer.from(body);
const all = { ...headers, "content-length": bytes.length };

createServer((incoming, outgoing) => {
  if (incoming.method === "GET") return outgoing.writeHead(status, all).end(bytes);
  let text = "";
  incoming.setEncoding("utf8");
  incoming.on("data", (chunk) => (text += chunk));
  incoming.on("end", () => {
    JSON.parse(text);
    outgoing.writeHead(status, all).end(bytes);
  });
}).listen(Number(process.env.PORT), "127.0.0.1");

// Ends as we do, so that Node writes its code cache.
process.once("SIGTERM", () => process.exit());
