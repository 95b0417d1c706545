import { expect, test } from "vitest";
import { columnWidths, createTerminal, rowLine } from "../../cli/terminal.ts";

/** A terminal over two streams that are, or are not, terminals themselves; and what was written to them. */
function terminalOn(isTTY: boolean, environment: Record<string, string> = {}) {
  const written = { out: "", err: "" };
  const out = { isTTY, write: (text: string) => (written.out += text) };
  const err = { isTTY, columns: 20, write: (text: string) => (written.err += text) };
  return { terminal: createTerminal({ out, err }, environment), written };
}

test.for([
  [true, {}, "\u001B[32mTrue\u001B[39m"],
  [true, { NO_COLOR: "" }, "\u001B[32mTrue\u001B[39m"],
  [true, { NO_COLOR: "1" }, "True"],
  [false, {}, "True"],
  [false, { FORCE_COLOR: "1" }, "True"],
] as const)("on a terminal: %j, with %j, green is %j", ([isTTY, environment, text]) => {
  expect(terminalOn(isTTY, environment).terminal.paint("green", "True")).toBe(text);
});

test("progress is one line that the next line replaces, cut to the width", () => {
  const { terminal, written } = terminalOn(true);
  terminal.progress("validating a-long-name.yaml (1 of 2)");
  terminal.out("a finding");
  terminal.progress("");
  expect(written).toEqual({ out: "a finding\n", err: "validating a-long-n\r\u001B[K" });
});

test("in a pipe there is no progress", () => {
  const { terminal, written } = terminalOn(false);
  terminal.progress("working");
  terminal.progress("");
  terminal.err("done");
  expect(written).toEqual({ out: "", err: "done\n" });
});

test("a table has columns as wide as their widest cell, numbers to the right, nothing behind the last", () => {
  const columns = [{ title: "NAME" }, { title: "OPS", right: true }, { title: "URL" }] as const;
  const rows = [
    ["default/bets", "6", "http://x/"],
    ["a", "12", ""],
  ];
  const widths = columnWidths(columns, rows);
  expect(rows.map((row) => rowLine(columns, widths, row))).toEqual([
    "default/bets    6  http://x/",
    "a              12",
  ]);
});
