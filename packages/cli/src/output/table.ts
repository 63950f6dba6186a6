import { breakWords } from "./break-words.ts";
import type { Page } from "./output.ts";
import { cut, padEnd, padStart, widthOf } from "./width.ts";

export interface Column<T> {
  readonly head: string;
  readonly cell: (row: T) => string;
  readonly align?: "right";
  /** Least width when the table is wider than the terminal; those without one are cut last, and the first column never. */
  readonly shrinkTo?: number;
  /** Too long for its column, a cell goes on in the next line instead of being cut: for what people have to read whole. */
  readonly wrap?: true;
  readonly paint?: (text: string, row: T) => string;
}

const GAP = "  ";
/** What is left of a column at least, before a table is let out of the terminal. */
const LEAST = 6;

/** Aligned columns under a head. Too wide for the page, the widest cells that may shrink are cut first. */
export function table<T>(rows: readonly T[], columns: readonly Column<T>[], page: Page): string {
  const used = columns.filter((column) => rows.some((row) => column.cell(row) !== ""));
  const cells = rows.map((row) => used.map((column) => oneLine(column.cell(row))));
  const natural = used.map((column, index) =>
    Math.max(widthOf(column.head), ...cells.map((line) => widthOf(line[index] ?? ""))),
  );
  const widths = fitWidths(natural, used, page.columns);
  const line = (texts: readonly string[], paint: (text: string, index: number) => string) => {
    const parts = texts.map((text, index) =>
      used[index]?.wrap === true ? breakWords(text, widths[index] ?? 0) : [cut(text, widths[index] ?? 0)],
    );
    const height = Math.max(1, ...parts.map(({ length }) => length));
    return Array.from({ length: height }, (_, nth) =>
      parts
        .map((part, index) => {
          const short = part[nth] ?? "";
          const width = widths[index] ?? 0;
          const pad = used[index]?.align === "right" ? padStart(short, width) : padEnd(short, width);
          return short === "" ? pad : pad.replace(short, () => paint(short, index));
        })
        .join(GAP)
        .trimEnd(),
    ).join("\n");
  };
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
  const excess = () =>
    widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1) - available;
  shrink(
    widths,
    columns.map(({ shrinkTo }) => shrinkTo),
    excess(),
  );
  // The first column is what a row is called, and needed whole.
  shrink(
    widths,
    columns.map((_, index) => (index === 0 ? undefined : LEAST)),
    excess(),
  );
  return widths;
}

/** Takes the excess away, always from the widest that has not come to its floor. */
function shrink(widths: number[], floors: readonly (number | undefined)[], excess: number): void {
  for (let left = excess; left > 0; left--) {
    let widest = -1;
    for (const [index, width] of widths.entries()) {
      const floor = floors[index];
      if (floor !== undefined && width > floor && width > (widths[widest] ?? 0)) widest = index;
    }
    if (widest === -1) return;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
