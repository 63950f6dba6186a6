import { fstatSync, readSync } from "node:fs";

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC_LITTLE = 0x377f0682;
const MAGIC_BIG = 0x377f0683;

/** Where the newest content of a page begins in the log. */
export interface FramePlace {
  readonly at: number;
}

/**
 * The pages that a write-ahead log holds (https://sqlite.org/fileformat2.html#the_write_ahead_log), up to the last
 * commit before its first frame that is torn or left over from before.
 */
export function committedFrames(
  log: number,
  isPageSize: (size: number) => boolean,
): { readonly pageSize: number; readonly frames: ReadonlyMap<number, FramePlace> } | undefined {
  const header = Buffer.alloc(HEADER_BYTES);
  if (readSync(log, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return undefined;
  const magic = header.readUInt32BE(0);
  const pageSize = header.readUInt32BE(8);
  if ((magic !== MAGIC_LITTLE && magic !== MAGIC_BIG) || !isPageSize(pageSize)) return undefined;
  let sum = checksum(header.subarray(0, 24), [0, 0], magic === MAGIC_BIG);
  if (!matches(sum, header, 24)) return undefined;

  const frames = new Map<number, FramePlace>();
  const pending = new Map<number, FramePlace>();
  const frame = Buffer.alloc(FRAME_HEADER_BYTES + pageSize);
  const { size } = fstatSync(log);
  for (let at = HEADER_BYTES; at + frame.length <= size; at += frame.length) {
    readSync(log, frame, 0, frame.length, at);
    if (frame.compare(header, 16, 24, 8, 16) !== 0) break; // salts of an earlier round
    sum = checksum(frame.subarray(0, 8), sum, magic === MAGIC_BIG);
    sum = checksum(frame.subarray(FRAME_HEADER_BYTES), sum, magic === MAGIC_BIG);
    if (!matches(sum, frame, 16)) break;
    pending.set(frame.readUInt32BE(0), { at: at + FRAME_HEADER_BYTES });
    if (frame.readUInt32BE(4) === 0) continue;
    for (const [page, place] of pending) frames.set(page, place);
    pending.clear();
  }
  return { pageSize, frames };
}

type Sum = readonly [number, number];

function matches([first, second]: Sum, buffer: Buffer, at: number): boolean {
  return buffer.readUInt32BE(at) === first && buffer.readUInt32BE(at + 4) === second;
}

function checksum(bytes: Buffer, [first, second]: Sum, bigEndian: boolean): Sum {
  let s0 = first;
  let s1 = second;
  for (let at = 0; at < bytes.length; at += 8) {
    const x0 = bigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
    const x1 = bigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4);
    s0 = (s0 + x0 + s1) >>> 0;
    s1 = (s1 + x1 + s0) >>> 0;
  }
  return [s0, s1];
}
