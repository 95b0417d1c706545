import { keyText } from "../lib/names.ts";
import type { MockRow } from "./row.ts";
import { placeText } from "./row.ts";
import type { Style, TableColumn, Terminal } from "./terminal.ts";
import { columnWidths, rowLine } from "./terminal.ts";

/** Prints the table of mocks, and then only what changes. */
export interface RowPrinter {
  table(rows: readonly MockRow[]): void;
  /** Prints the rows that differ from what was printed last, and a line for each that is gone. */
  changes(rows: readonly MockRow[]): void;
}

const columns: readonly TableColumn[] = [
  { title: "NAME" },
  { title: "READY" },
  { title: "OPS", right: true },
  { title: "URL" },
];

const styles: Readonly<Record<string, Style>> = { True: "green", False: "red", Unknown: "yellow" };

/** Answers a printer. Later rows line up with the table. */
export function createRowPrinter(terminal: Terminal): RowPrinter {
  let widths: number[] = columnWidths(columns, []);
  let printed = new Map<string, string>();

  const cells = (row: MockRow): string[] => [
    keyText(row),
    row.ready,
    String(row.operations),
    placeText(row),
  ];
  const line = (row: readonly string[]): string =>
    rowLine(columns, widths, row).replace(/(?<=\S +)(True|False|Unknown)(?= )/, (word) =>
      terminal.paint(styles[word] ?? "yellow", word),
    );
  const remember = (rows: readonly MockRow[]): void => {
    printed = new Map(rows.map((row) => [keyText(row), cells(row).join(" ")]));
  };

  return {
    table(rows) {
      widths = columnWidths(columns, rows.map(cells));
      terminal.out(
        terminal.paint(
          "dim",
          rowLine(
            columns,
            widths,
            columns.map((column) => column.title),
          ),
        ),
      );
      for (const row of rows) terminal.out(line(cells(row)));
      remember(rows);
    },
    changes(rows) {
      for (const row of rows) {
        if (printed.get(keyText(row)) !== cells(row).join(" ")) terminal.out(line(cells(row)));
      }
      const there = new Set(rows.map(keyText));
      for (const key of printed.keys())
        if (!there.has(key)) terminal.out(line([key, "-", "", "deleted"]));
      remember(rows);
    },
  };
}
