import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { committedFrames, type FramePlace } from "./wal-frames.ts";

const MAGIC = "SQLite format 3\0";
const DEFAULT_PAGE_SIZE = 4096;

/**
 * The pages of a database file as its last commit left them: the file, overlaid with what is whole in its log. It asks
 * nothing of SQLite, which refuses a file whose beginning is damaged, and changes nothing.
 */
export class PageSource implements Disposable {
  readonly pageSize: number;
  readonly pageCount: number;
  /** Bytes of a page that b-trees may use. */
  readonly usableSize: number;
  readonly #file: number | undefined;
  readonly #log: number | undefined;
  readonly #frames: ReadonlyMap<number, FramePlace>;

  constructor(path: string) {
    this.#file = tryOpen(path);
    this.#log = tryOpen(`${path}-wal`);
    const header = Buffer.alloc(100);
    if (this.#file !== undefined) readSync(this.#file, header, 0, 100, 0);
    const wal = this.#log === undefined ? undefined : committedFrames(this.#log, (size) => isPageSize(size));
    const sane = header.toString("latin1", 0, MAGIC.length) === MAGIC;
    const stated = header.readUInt16BE(16) === 1 ? 65536 : header.readUInt16BE(16);
    this.pageSize = sane && isPageSize(stated) ? stated : (wal?.pageSize ?? DEFAULT_PAGE_SIZE);
    this.usableSize = this.pageSize - (sane ? header.readUInt8(20) : 0);
    this.#frames = wal?.pageSize === this.pageSize ? wal.frames : new Map();
    const inFile = this.#file === undefined ? 0 : Math.floor(fstatSync(this.#file).size / this.pageSize);
    this.pageCount = [...this.#frames.keys()].reduce((most, page) => Math.max(most, page), inFile);
  }

  /** Undefined where the file ends before it. Pages are numbered from 1. */
  page(number: number): Buffer | undefined {
    if (number < 1 || number > this.pageCount) return undefined;
    const frame = this.#frames.get(number);
    const buffer = Buffer.alloc(this.pageSize);
    const [file, at] =
      frame === undefined || this.#log === undefined
        ? [this.#file, (number - 1) * this.pageSize]
        : [this.#log, frame.at];
    return file !== undefined && readSync(file, buffer, 0, this.pageSize, at) === this.pageSize
      ? buffer
      : undefined;
  }

  [Symbol.dispose](): void {
    if (this.#file !== undefined) closeSync(this.#file);
    if (this.#log !== undefined) closeSync(this.#log);
  }
}

function isPageSize(size: number): boolean {
  return size >= 512 && size <= 65536 && (size & (size - 1)) === 0;
}

function tryOpen(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch {
    return undefined;
  }
}
