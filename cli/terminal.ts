import { styleText } from "node:util";

/** Where a command writes. `out` is for what was asked for, `err` for what went wrong and for progress. */
export interface Terminal {
  out(line: string): void;
  err(line: string): void;
  /** Answers the text in a colour where standard output shows colours, else as it is. */
  paint(style: Style, text: string): string;
  /** Shows one line of progress that the next replaces; "" removes it. Says nothing unless standard error is a terminal. */
  progress(line: string): void;
}

/** Colours by what they mean. */
export type Style = "green" | "red" | "yellow" | "dim" | "bold";

/** The parts of a stream that are used. */
export interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/**
 * Answers a terminal over two streams. Colours only where `out` is a terminal and NO_COLOR (no-color.org) is unset or empty;
 * a progress line only where `err` is one, so that a pipe holds results alone.
 */
export function createTerminal(
  { out, err }: { out: Stream; err: Stream },
  environment: Readonly<Record<string, string | undefined>>,
): Terminal {
  const colours = out.isTTY === true && (environment["NO_COLOR"] ?? "") === "";
  let shown = false;
  const clear = (): void => {
    if (shown) err.write("\r\u001B[K");
    shown = false;
  };
  return {
    out: (line) => {
      clear();
      out.write(`${line}\n`);
    },
    err: (line) => {
      clear();
      err.write(`${line}\n`);
    },
    paint: (style, text) => (colours ? styleText(style, text, { validateStream: false }) : text),
    progress: (line) => {
      if (err.isTTY !== true) return;
      clear();
      if (line === "") return;
      err.write(line.slice(0, (err.columns ?? 80) - 1));
      shown = true;
    },
  };
}

/** One column of a table. Numbers stand right, the last column is not padded. */
export interface TableColumn {
  readonly title: string;
  readonly right?: true;
}

/** Answers how wide the columns of a table are: as the widest cell of each, the title among them. */
export function columnWidths(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
): number[] {
  return columns.map(({ title }, index) =>
    Math.max(title.length, ...rows.map((row) => (row[index] ?? "").length)),
  );
}

/** Answers one line of a table whose columns have these widths, two spaces apart; the last is not padded. */
export function rowLine(
  columns: readonly TableColumn[],
  widths: readonly number[],
  row: readonly string[],
): string {
  return columns
    .map((column, index) => {
      const cell = row[index] ?? "";
      if (column.right) return cell.padStart(widths[index] ?? 0);
      return index === columns.length - 1 ? cell : cell.padEnd(widths[index] ?? 0);
    })
    .join("  ")
    .trimEnd();
}
