import { randomBytes } from "node:crypto";
import type { Clock, IdGenerator } from "@cleveragents/application";
import { encodeTime, TIME_LEN } from "ulid";

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const RANDOM_LENGTH = 16;
/** 80 bits of randomness, as ULIDs have them. */
const RANDOM_BYTES = 10;
const RANDOM_END = 1n << 80n;

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
  #tail = 0n;

  constructor(deps: UlidGeneratorDeps) {
    this.#clock = deps.clock;
    this.#random = deps.random ?? randomBytes;
  }

  next(): string {
    const now = Math.max(0, Math.floor(this.#clock.now()));
    if (now > this.#time) this.#begin(now);
    else if (this.#tail + 1n < RANDOM_END) this.#tail += 1n;
    else this.#begin(this.#time + 1);
    return encodeTime(this.#time, TIME_LEN) + encodeTail(this.#tail);
  }

  #begin(time: number): void {
    this.#time = time;
    this.#tail = BigInt(`0x${Buffer.from(this.#random(RANDOM_BYTES)).toString("hex")}`);
  }
}

function encodeTail(tail: bigint): string {
  let text = "";
  for (let rest = tail, i = 0; i < RANDOM_LENGTH; i += 1, rest >>= 5n)
    text = DIGITS.charAt(Number(rest & 31n)) + text;
  return text;
}
