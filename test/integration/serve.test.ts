import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { ListenError, type Serving, serve } from "../../lib/serve.ts";

const serving: Serving[] = [];

afterEach(async () => {
  await Promise.all(serving.splice(0).map(async (server) => await server.close(0)));
});

async function start(fetch: (request: Request) => Response | Promise<Response>): Promise<Serving> {
  const server = await serve({ fetch }, { port: 0, host: "127.0.0.1" });
  serving.push(server);
  return server;
}

/** A promise that the test keeps. */
function gate(): { readonly opened: Promise<void>; open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

test("the app answers at the address that is said", async () => {
  const { url } = await start((request) => new Response(new URL(request.url).pathname));
  expect(await (await fetch(`${url}/a/b`)).text()).toBe("/a/b");
});

test("closing lets a request at work finish, and takes no new one", async () => {
  const arrived = gate();
  const finish = gate();
  const server = await start(async () => {
    arrived.open();
    await finish.opened;
    return new Response("done");
  });
  const answer = fetch(server.url);
  await arrived.opened;
  const closed = server.close(20_000);
  await expect(fetch(server.url)).rejects.toThrow("fetch failed");
  finish.open();
  expect(await (await answer).text()).toBe("done");
  await closed;
});

test("closing does not wait for kept connections that nobody uses", async () => {
  const server = await start(() => new Response("x"));
  await (await fetch(server.url)).text();
  expect(await server.close(1_000_000_000)).toBeUndefined();
});

test("closing cuts at its deadline what never ends", async () => {
  const arrived = gate();
  const server = await start(async () => {
    arrived.open();
    return await new Promise<Response>(() => {});
  });
  const answer = fetch(server.url).catch((error: unknown) => error);
  await arrived.opened;
  await server.close(50);
  expect(await answer).toBeInstanceOf(Error);
});

test("a port in use is one line with the remedy", async () => {
  const { port } = await start(() => new Response("x"));
  const attempt = serve({ fetch: () => new Response("y") }, { port, host: "127.0.0.1" });
  await expect(attempt).rejects.toThrow(ListenError);
  await expect(attempt).rejects.toThrow(
    `port ${port} on 127.0.0.1 is in use; stop what listens there, or choose another port`,
  );
});

test("an address of another machine is one line with the remedy", async () => {
  const attempt = serve({ fetch: () => new Response("y") }, { port: 0, host: "192.0.2.1" });
  await expect(attempt).rejects.toThrow("192.0.2.1 is no address of this machine; choose another");
});

test("an app that throws is a 500 and the server goes on", async () => {
  const { url } = await start((request) => {
    if (request.url.endsWith("/bad")) throw new Error("no");
    return new Response("good");
  });
  expect((await fetch(`${url}/bad`)).status).toBe(500);
  expect(await (await fetch(url)).text()).toBe("good");
});

test("what is no HTTP is refused and the server goes on", async () => {
  const { port, url } = await start(() => new Response("good"));
  const socket = connect(port, "127.0.0.1", () => socket.write("no such thing\r\n\r\n"));
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
  expect(await (await fetch(url)).text()).toBe("good");
});

const child = `import { closeOnSignal, serve } from "./lib/serve.ts";
  const [port, work] = process.argv.slice(1).map(Number);
  const server = await serve({ fetch: async () => {
    console.log("arrived");
    await new Promise((resolve) => setTimeout(resolve, work).unref());
    return new Response("done");
  } }, { port, host: "127.0.0.1" });
  console.log("ready");
  await closeOnSignal(server, 10_000);
  console.log("closed");`;

async function freePort(): Promise<number> {
  const free = createServer().listen(0, "127.0.0.1");
  await once(free, "listening");
  const { port } = free.address() as AddressInfo;
  free.close();
  return port;
}

/** Runs a server whose answer takes `work` milliseconds, and sends it the signals while it is at work. */
async function signalled(
  signals: readonly NodeJS.Signals[],
  work: number,
): Promise<{ output: string; answer: string; exit: unknown }> {
  const port = await freePort();
  const args = ["--no-warnings", "--input-type=module", "-e", child, String(port), String(work)];
  const program = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(program, "exit");
  let output = "";
  let answer: Promise<string> | undefined;
  for await (const chunk of program.stdout) {
    output += String(chunk);
    if (output.endsWith("ready\n")) {
      answer = fetch(`http://127.0.0.1:${port}`).then(
        async (response) => await response.text(),
        () => "cut",
      );
    }
    if (output.endsWith("arrived\n")) for (const signal of signals) program.kill(signal);
  }
  return { output, answer: (await answer) ?? "", exit: await ended };
}

test.for(["SIGTERM", "SIGINT"] as const)(
  "%s finishes what runs, then the process ends by itself",
  async (signal) => {
    expect(await signalled([signal], 300)).toEqual({
      output: "ready\narrived\nclosed\n",
      answer: "done",
      exit: [0, null],
    });
  },
);

test("a second signal cuts what still runs, and is no failure", async () => {
  expect(await signalled(["SIGTERM", "SIGINT"], 1_000_000)).toEqual({
    output: "ready\narrived\nclosed\n",
    answer: "cut",
    exit: [0, null],
  });
});
