import type { Page } from "./output.ts";
import { cut, padEnd, padStart, widthOf } from "./width.ts";

export interface Column<T> {
  readonly head: string;
  readonly cell: (row: T) => string;
  readonly align?: "right";
  /** Least width when the table is wider than the terminal; a column without one is never cut. */
  readonly shrinkTo?: number;
  readonly paint?: (text: string, row: T) => string;
}

const GAP = "  ";

/** Aligned columns under a head. Too wide for the page, the widest cells that may shrink are cut first. */
export function table<T>(rows: readonly T[], columns: readonly Column<T>[], page: Page): string {
  const used = columns.filter((column) => rows.some((row) => column.cell(row) !== ""));
  const cells = rows.map((row) => used.map((column) => oneLine(column.cell(row))));
  const natural = used.map((column, index) =>
    Math.max(widthOf(column.head), ...cells.map((line) => widthOf(line[index] ?? ""))),
  );
  const widths = fitWidths(natural, used, page.columns);
  const line = (texts: readonly string[], paint: (text: string, index: number) => string) =>
    texts
      .map((text, index) => {
        const width = widths[index] ?? 0;
        const short = cut(text, width);
        const painted = paint(short, index);
        const pad = used[index]?.align === "right" ? padStart(short, width) : padEnd(short, width);
        return pad.replace(short, () => painted);
      })
      .join(GAP)
      .trimEnd();
  const head = line(
    used.map((column) => column.head),
    (text) => page.paint.bold(text),
  );
  const body = rows.map((row, at) =>
    line(cells[at] ?? [], (text, index) => used[index]?.paint?.(text, row) ?? text),
  );
  return [head, ...body].join("\n");
}

function fitWidths(
  natural: readonly number[],
  columns: readonly Column<never>[],
  available: number | undefined,
): number[] {
  const widths = [...natural];
  if (available === undefined) return widths;
  let excess = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1) - available;
  while (excess > 0) {
    let widest = -1;
    for (const [index, width] of widths.entries()) {
      const floor = columns[index]?.shrinkTo;
      if (floor !== undefined && width > floor && width > (widths[widest] ?? 0)) widest = index;
    }
    if (widest === -1) return widths;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess--;
  }
  return widths;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
