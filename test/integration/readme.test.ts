import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startApirator } from "../support/command-line.ts";

/** A command of a console block, and what the page says that it prints. */
interface Shown {
  readonly command: string;
  readonly output: string;
}

const readme = readFileSync("README.md", "utf8");

function shown(page: string): Shown[] {
  const blocks = [...page.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(
    ([, block = ""]) => block,
  );
  return blocks
    .flatMap((block) => block.split(/^\$ /m).slice(1))
    .map((part) => ({
      command: part.slice(0, part.indexOf("\n")),
      output: part.slice(part.indexOf("\n") + 1).trim(),
    }));
}

/** Does what a `curl` line of the page says, as far as the page goes: `-s`, `-X`, `-H`, `-d`, and an address. */
async function curl(command: string, port: string): Promise<string> {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
  const headers = new Headers();
  let method: string | undefined;
  let body: string | undefined;
  let address = "";
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (word === "-s") continue;
    if (word === "-X") method = words[(index += 1)];
    else if (word === "-d") body = words[(index += 1)];
    else if (word === "-H")
      headers.append(...((words[(index += 1)] ?? "").split(/: /, 2) as [string, string]));
    else address = word;
  }
  const answer = await fetch(`http://${address.replace("localhost:8080", `127.0.0.1:${port}`)}`, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers,
    ...(body !== undefined && { body }),
  });
  return await answer.text();
}

test("the first screen is true: the table, and what curl prints", async () => {
  const all = shown(readme);
  expect(all.map(({ command }) => command).slice(0, 2)).toEqual(["npm ci", "npm start"]);
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
    scripts: { start: string };
  };
  const args = scripts.start.replace("node cli/main.ts ", "").split(" ");

  const running = startApirator([...args, "--port", "0"]);
  const said = await running.until(/Ctrl-C stops\./, 60_000);
  const port = /localhost:(\d+)\//.exec(said)?.[1] ?? "";
  expect(said.replaceAll(`localhost:${port}`, "localhost:8080")).toContain(all[1]?.output);

  const calls = all.slice(2);
  expect(calls.length).toBeGreaterThanOrEqual(4);
  for (const { command, output } of calls) expect(await curl(command, port), command).toBe(output);
});

test("every page that the README leads to is there", () => {
  const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = ""]) => link);
  expect(links.filter((link) => !existsSync(link))).toEqual([]);
});
