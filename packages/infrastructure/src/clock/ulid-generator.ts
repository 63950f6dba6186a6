import { randomBytes } from "node:crypto";
import type { Clock, IdGenerator } from "@cleveragents/application";
import { encodeTime, TIME_LEN } from "ulid";

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** 80 bits of randomness, as ULIDs have them: two halves, each a number without rounding. */
const RANDOM_BYTES = 10;
const HALF_END = 2 ** 40;
/** Bytes that are asked of the system at once: that costs about as much as asking for ten. */
const POOLED_BYTES = 4096;

export interface UlidGeneratorDeps {
  readonly clock: Clock;
  /** For tests; cryptographically strong by default. */
  readonly random?: (bytes: number) => Uint8Array;
}

/**
 * Monotonic ULIDs: within one millisecond, and while the clock is behind where it was, the random part counts up
 * from the last id's. (The library's own factory takes a clock that shows 0 for one that is missing, and throws
 * when the random part runs out.)
 */
export class UlidGenerator implements IdGenerator {
  readonly #clock: Clock;
  readonly #random: (bytes: number) => Uint8Array;
  #time = -1;
  #high = 0;
  #low = 0;
  /** What stands before the low half, which alone changes from one id to the next. */
  #head = "";

  constructor(deps: UlidGeneratorDeps) {
    this.#clock = deps.clock;
    this.#random = deps.random ?? pooledRandom();
  }

  next(): string {
    const now = Math.max(0, Math.floor(this.#clock.now()));
    if (now > this.#time) this.#begin(now);
    else this.#countUp();
    return this.#head + encodeHalf(this.#low);
  }

  #begin(time: number): void {
    this.#time = time;
    const bytes = Buffer.from(this.#random(RANDOM_BYTES));
    this.#high = bytes.readUIntBE(0, 5);
    this.#low = bytes.readUIntBE(5, 5);
    this.#setHead();
  }

  #countUp(): void {
    this.#low += 1;
    if (this.#low < HALF_END) return;
    this.#low = 0;
    this.#high += 1;
    if (this.#high < HALF_END) this.#setHead();
    else this.#begin(this.#time + 1);
  }

  #setHead(): void {
    this.#head = encodeTime(this.#time, TIME_LEN) + encodeHalf(this.#high);
  }
}

/** Eight digits of 40 bits. */
function encodeHalf(half: number): string {
  return encodeQuarter(Math.floor(half / 2 ** 20)) + encodeQuarter(half % 2 ** 20);
}

function encodeQuarter(bits: number): string {
  return (
    DIGITS.charAt(bits >> 15) +
    DIGITS.charAt((bits >> 10) & 31) +
    DIGITS.charAt((bits >> 5) & 31) +
    DIGITS.charAt(bits & 31)
  );
}

function pooledRandom(): (bytes: number) => Uint8Array {
  let pool: Buffer = Buffer.alloc(0);
  return (bytes) => {
    if (pool.length < bytes) pool = randomBytes(POOLED_BYTES);
    const taken = pool.subarray(0, bytes);
    pool = pool.subarray(bytes);
    return taken;
  };
}
