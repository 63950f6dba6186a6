/** About how much text one page of events holds, whatever its number of events. */
const PAGE_CHARACTERS = 1024 * 1024;
/** How many rows are read before it is known how long they are. */
const FIRST_ROWS = 32;

interface Row {
  readonly seq: number;
  readonly body: string;
}

/**
 * The rows after a sequence, at most `limit`, whose bodies together stay within a page; at least one if there is
 * one. `read` gives rows after a sequence in order; it is asked for as many as are likely to fit, so that a log of
 * large events is not read only to be thrown away.
 */
export function pageOf<R extends Row>(
  read: (after: number, rows: number) => readonly R[],
  after: number,
  limit: number,
): R[] {
  const page: R[] = [];
  let size = 0;
  let wanted = Math.min(FIRST_ROWS, limit);
  while (wanted > 0) {
    const rows = read(page.at(-1)?.seq ?? after, wanted);
    for (const row of rows) {
      if (page.length > 0 && size + row.body.length > PAGE_CHARACTERS) return page;
      page.push(row);
      size += row.body.length;
    }
    if (rows.length < wanted) return page;
    const fitting = Math.floor((PAGE_CHARACTERS - size) / Math.max(1, size / page.length));
    wanted = Math.min(limit - page.length, Math.max(1, fitting));
  }
  return page;
}
