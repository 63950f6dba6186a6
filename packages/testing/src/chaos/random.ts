/** Numbers that a seed decides: the same seed, the same numbers in the same order, on every machine. */
export interface Random {
  readonly seed: number;
  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number;
  pick<T>(items: readonly T[]): T;
}

/** Mulberry32: small, and good enough to choose moments. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    seed,
    int,
    pick(items) {
      if (items.length === 0) throw new RangeError("there is nothing to pick from");
      return items[int(0, items.length - 1)] as (typeof items)[number]; // in range
    },
  };
}
