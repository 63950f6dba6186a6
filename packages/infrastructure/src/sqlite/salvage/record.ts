export type Value = null | number | bigint | string | Uint8Array;

/** A number of one to nine bytes, and where the next thing begins (https://sqlite.org/fileformat2.html#varint). */
export function varint(bytes: Buffer, at: number): readonly [value: number, next: number] {
  let value = 0n;
  for (let n = 0; n < 8; n++) {
    const byte = bytes.readUInt8(at + n);
    value = (value << 7n) | BigInt(byte & 0x7f);
    if (byte < 0x80) return [Number(value), at + n + 1];
  }
  return [Number((value << 8n) | BigInt(bytes.readUInt8(at + 8))), at + 9];
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The columns of a record (https://sqlite.org/fileformat2.html#record_format). Throws where the bytes cannot be one:
 * lengths that do not fit, or text that is no UTF-8.
 */
export function decodeRecord(payload: Buffer): Value[] {
  const [headerSize, first] = varint(payload, 0);
  const values: Value[] = [];
  let at = headerSize;
  for (let head = first; head < headerSize; ) {
    const [type, next] = varint(payload, head);
    head = next;
    const length = lengthOf(type);
    if (at + length > payload.length) throw new RangeError("a record that is longer than its cell");
    values.push(decodeValue(type, payload, at, length));
    at += length;
  }
  if (at !== payload.length) throw new RangeError("a record that does not fill its cell");
  return values;
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8];
const REAL = 7;
const ZERO = 8;
const ONE = 9;
const FIRST_BLOB = 12;

function lengthOf(type: number): number {
  if (type < INTEGER_BYTES.length) return INTEGER_BYTES[type] ?? 0;
  if (type === REAL) return 8;
  if (type < FIRST_BLOB) return 0;
  return Math.floor((type - FIRST_BLOB) / 2);
}

function decodeValue(type: number, payload: Buffer, at: number, length: number): Value {
  if (type === 0) return null;
  if (type === ZERO || type === ONE) return type - ZERO;
  if (type === REAL) return payload.readDoubleBE(at);
  if (type < INTEGER_BYTES.length) {
    if (length <= 6) return payload.readIntBE(at, length);
    const value = payload.readBigInt64BE(at);
    return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  }
  if (type < FIRST_BLOB) throw new RangeError("a type that no record has");
  const bytes = payload.subarray(at, at + length);
  return type % 2 === 0 ? new Uint8Array(bytes) : utf8.decode(bytes);
}
