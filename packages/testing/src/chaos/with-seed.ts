import { type Random, randomOf } from "./random.ts";

export interface SeedOptions {
  /** `CHAOS_SEED` replays one seed; a number of one's own is for a new run. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What is run when nobody says otherwise, so that a test does the same each time. */
  readonly seeds: readonly number[];
}

/** The seeds of a run: those of the test, or the one that `CHAOS_SEED` replays. */
export function seedsOf({ env, seeds }: SeedOptions): readonly number[] {
  const given = env["CHAOS_SEED"] ?? "";
  if (given === "") return seeds;
  const seed = Number(given);
  if (!Number.isSafeInteger(seed)) throw new RangeError(`CHAOS_SEED is no whole number: ${given}`);
  return [seed];
}

/** Runs with a seed; what it throws says the seed and how to have it again. */
export async function withSeed<T>(seed: number, work: (random: Random) => Promise<T>): Promise<T> {
  try {
    return await work(randomOf(seed));
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `with seed ${seed}: ${said}\nagain: CHAOS_SEED=${seed} npm run x -- vitest run --project tests/chaos (SOAK=1 before it for a soak)`,
      { cause },
    );
  }
}
