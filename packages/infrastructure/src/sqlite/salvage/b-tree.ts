import type { PageSource } from "./page-source.ts";
import { decodeRecord, type Value, varint } from "./record.ts";

const TABLE_LEAF = 0x0d;
const TABLE_INTERIOR = 0x05;
const INDEX_LEAF = 0x0a;
const INDEX_INTERIOR = 0x02;
const CELLS_AT: Readonly<Record<number, number>> = {
  [TABLE_LEAF]: 8,
  [INDEX_LEAF]: 8,
  [TABLE_INTERIOR]: 12,
  [INDEX_INTERIOR]: 12,
};

/**
 * Reads b-trees (https://sqlite.org/fileformat2.html#b_tree_pages) and goes on past what is damaged: a page that makes
 * no sense loses what hangs below it, a cell that makes no sense loses itself.
 */
export class BTreeReader {
  /** Pages that some tree, or the list of free pages, has claimed. */
  readonly claimed = new Set<number>();
  /** Pages and cells that could not be read. */
  damaged = 0;
  readonly #pages: PageSource;

  constructor(pages: PageSource) {
    this.#pages = pages;
  }

  /** Every record of a table or an index, by its root. */
  *records(root: number): Generator<Value[]> {
    const waiting = [root];
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      if (this.claimed.has(number)) continue;
      const page = this.#pages.page(number);
      const cells = page && cellsOf(page, number);
      if (page === undefined || cells === undefined) {
        this.damaged++;
        continue;
      }
      this.claimed.add(number);
      const type = typeOf(page, number);
      if (type === TABLE_INTERIOR || type === INDEX_INTERIOR) {
        waiting.push(page.readUInt32BE(startOf(number) + 8));
        for (const at of cells) if (at + 4 <= page.length) waiting.push(page.readUInt32BE(at));
      }
      if (type !== TABLE_INTERIOR) yield* this.#cells(page, cells, type);
    }
  }

  /** Records of leaves of tables that no tree and no list of free pages reaches. Call it when all trees were read. */
  *strays(): Generator<Value[]> {
    for (let number = 1; number <= this.#pages.pageCount; number++) {
      if (this.claimed.has(number)) continue;
      const page = this.#pages.page(number);
      if (page === undefined || typeOf(page, number) !== TABLE_LEAF) continue;
      const cells = cellsOf(page, number);
      if (cells !== undefined) yield* this.#cells(page, cells, TABLE_LEAF);
    }
  }

  /** What lies in the list of free pages is old, and not to be taken for lost. */
  claimFree(): void {
    const header = this.#pages.page(1);
    let trunk = header?.readUInt32BE(32) ?? 0;
    while (trunk !== 0 && !this.claimed.has(trunk)) {
      const page = this.#pages.page(trunk);
      if (page === undefined) return;
      this.claimed.add(trunk);
      const count = Math.min(page.readUInt32BE(4), this.#pages.pageSize / 4 - 2);
      for (let n = 0; n < count; n++) this.claimed.add(page.readUInt32BE(8 + 4 * n));
      trunk = page.readUInt32BE(0);
    }
  }

  *#cells(page: Buffer, cells: readonly number[], type: number): Generator<Value[]> {
    for (const at of cells) {
      let record: Value[];
      try {
        record = decodeRecord(this.#payload(page, at, type));
      } catch {
        this.damaged++;
        continue;
      }
      yield record;
    }
  }

  /** A cell's payload, with what of it lies on pages of its own. */
  #payload(page: Buffer, at: number, type: number): Buffer {
    const [size, afterSize] = varint(page, type === INDEX_INTERIOR ? at + 4 : at);
    const start = type === TABLE_LEAF ? varint(page, afterSize)[1] : afterSize;
    const usable = this.#pages.usableSize;
    if (size > this.#pages.pageCount * usable) throw new RangeError("a cell that is larger than the file");
    const local = localSize(size, usable, type === TABLE_LEAF);
    if (start + local > page.length) throw new RangeError("a cell that leaves its page");
    const parts = [page.subarray(start, start + local)];
    let missing = size - local;
    let next = missing > 0 ? page.readUInt32BE(start + local) : 0;
    while (missing > 0) {
      const overflow = this.#pages.page(next);
      if (overflow === undefined) throw new RangeError("a page that is not there");
      this.claimed.add(next);
      const length = Math.min(missing, usable - 4);
      parts.push(overflow.subarray(4, 4 + length));
      missing -= length;
      next = overflow.readUInt32BE(0);
    }
    return Buffer.concat(parts);
  }
}

/** On the first page the file's header comes first. */
function startOf(number: number): number {
  return number === 1 ? 100 : 0;
}

function typeOf(page: Buffer, number: number): number {
  return page.readUInt8(startOf(number));
}

/** Where the cells of a page begin; undefined if it is no page of a b-tree. */
function cellsOf(page: Buffer, number: number): number[] | undefined {
  const start = startOf(number);
  const pointers = CELLS_AT[typeOf(page, number)];
  if (pointers === undefined) return undefined;
  const count = page.readUInt16BE(start + 3);
  const end = start + pointers + 2 * count;
  if (end > page.length) return undefined;
  const cells: number[] = [];
  for (let at = start + pointers; at < end; at += 2) {
    const cell = page.readUInt16BE(at);
    if (cell < end || cell + 4 > page.length) return undefined;
    cells.push(cell);
  }
  return cells;
}

function localSize(size: number, usable: number, isTable: boolean): number {
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (size <= most) return size;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((size - least) % (usable - 4));
  return fitting <= most ? fitting : least;
}
